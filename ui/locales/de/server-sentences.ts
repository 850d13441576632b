import type { ServerSentences } from "../server-sentences.ts";

/** What the server refuses with, in German: see ServerSentences. test/ui/server-sentences.test.ts finds what is missing. */
export const serverSentences: ServerSentences = {
  // Parameters
  "The parameter {} is missing.": "Das fehlt.",
  "{name} is missing.": "Das fehlt.",
  "{} is too long: at most {} characters.": "{0} ist zu lang: höchstens {1} Zeichen.",
  "{name} is too long: at most {} items.": {
    one: "{0} ist zu lang: höchstens {1} Eintrag.",
    other: "{0} ist zu lang: höchstens {1} Einträge.",
  },
  "{name} is too long: at most {} people.": {
    one: "{0} ist zu lang: höchstens {1} Person.",
    other: "{0} ist zu lang: höchstens {1} Personen.",
  },
  "{name} is too long: at most {} values, {} within each other.":
    "{0} ist zu lang: höchstens {1} Werte, {2} ineinander.",
  "{name} must have at least {} characters.": "{0} muss mindestens {1} Zeichen haben.",
  "{name} must have at least {} items.": {
    one: "{0} muss mindestens {1} Eintrag haben.",
    other: "{0} muss mindestens {1} Einträge haben.",
  },
  "{name} must not be empty.": "{0} darf nicht leer sein.",
  "{name} must not contain null characters.": "{0} darf keine Nullzeichen enthalten.",
  "{name} must not contain half a surrogate pair.": "{0} enthält ein halbes Zeichen, das sich nicht speichern lässt.",
  "{name} must be an integer.": "{0} muss eine ganze Zahl sein.",
  "{name} must be a number.": "{0} muss eine Zahl sein.",
  "{name} must be at least {}.": "{0} muss mindestens {1} sein.",
  "{name} must be at most {}.": "{0} darf höchstens {1} sein.",
  "{name} must be true or false.": "{0} muss wahr oder falsch sein.",
  "{} must be text.": "{0} muss Text sein.",
  "{name} must be one of: {}.": "{0} muss eines davon sein: {1}.",
  "{name} must be {}.": "{0} hat einen unmöglichen Wert: erlaubt ist nur {1}.",
  "{} must be one line without control characters.": "{0} muss eine Zeile ohne Steuerzeichen sein.",
  "{name} must be the name of a time zone, or empty.": "{0} muss der Name einer Zeitzone sein, oder leer.",
  "{} must be a web address.": "{0} muss eine Webadresse sein.",
  "{name} is not a web address (http:// or https://).": "Das ist keine Webadresse (http:// oder https://).",
  "{name} cannot hold a name or a password.": "Die Adresse darf keinen Namen und kein Passwort enthalten.",
  "{name} has an invalid value.": "{0} hat einen unmöglichen Wert.",
  "{name} has an unknown field: {}.": "{0} hat ein unbekanntes Feld: {1}.",
  "{name} is not valid JSON.": "{0} ist kein gültiges JSON.",
  "{name} not an IP address or network": "Das ist weder eine IP-Adresse noch ein Netz.",
  "{name} not the whole path of a folder": "Das ist nicht der ganze Pfad eines Ordners.",
  "{name} not the whole path of a file": "Das ist nicht der ganze Pfad einer Datei.",
  "{name}: invalid channel ID {}": "Diesen Kanal gibt es nicht.",
  "{name}: invalid user ID {}": "Diese Person gibt es nicht.",
  "{name}: invalid user group ID {}": "Diese Gruppe gibt es nicht.",
  "{name} was changed by somebody meanwhile.": "Das hat inzwischen jemand anders geändert.",
  "No change was asked for.": "Es gibt nichts zu ändern.",
  "Nothing was given to change.": "Es gibt nichts zu ändern.",

  // The server and who calls it
  "Something went wrong inside the server.": "Im Server ist ein Fehler aufgetreten.",
  "The server's disk is full: nothing can be changed until there is room.":
    "Die Festplatte des Servers ist voll: Nichts lässt sich ändern, bis wieder Platz ist.",
  "The server cannot store changes at the moment. Nothing was changed; try again.":
    "Der Server kann gerade nichts speichern. Nichts wurde geändert; versuche es noch einmal.",
  "The server's storage has failed; it is starting again.": "Der Speicher des Servers ist ausgefallen; er startet neu.",
  "The change needs {} bytes of log; one change may take {}. Nothing was changed; do it in parts.":
    "Das ist zu viel auf einmal. Nichts wurde geändert; mach es in Teilen.",
  "The server is stopping.": "Der Server wird gerade beendet.",
  "There is no organization here yet.": "Hier gibt es noch keine Organisation.",
  "There is an organization here already.": "Hier gibt es schon eine Organisation.",
  "This organization is deactivated.": "Diese Organisation ist deaktiviert.",
  "The request is too large: at most {} bytes.": "Das ist zu groß: höchstens {0} Bytes auf einmal.",
  "This took too long. Ask for fewer messages, or search for less.":
    "Das hat zu lange gedauert. Frage nach weniger Nachrichten, oder suche nach weniger.",
  "This took too long. Mark fewer messages at once.":
    "Das hat zu lange gedauert. Markiere weniger Nachrichten auf einmal.",
  "This took too long: send it again for what is left.":
    "Das hat zu lange gedauert: Versuche es für den Rest noch einmal.",
  "These messages are larger than {} bytes. Ask for fewer.": "Diese Nachrichten sind zu groß. Frage nach weniger.",
  "Search is being prepared. Try again in a minute.":
    "Die Suche wird noch vorbereitet. Versuche es in einer Minute noch einmal.",
  "Invalid narrow operator: nothing to search for in {}": "In {0} steht nichts, wonach sich suchen lässt.",
  "Invalid narrow operator: more is sought than {} words or {} characters":
    "Suche nach höchstens {0} Wörtern oder {1} Zeichen.",
  "Invalid narrow operator: unknown channel": "Diesen Kanal gibt es nicht.",
  "Invalid narrow operator: unknown user in {}": "Die Person nach {0}: ist nicht bekannt.",
  "Invalid narrow operator: unknown operator {}": "Nach {0}: lässt sich nicht suchen.",
  "Invalid narrow operator: unknown is operand {}": "is:{0} gibt es nicht.",
  "Invalid narrow operator: unknown has operand {}": "has:{0} gibt es nicht.",
  "Invalid narrow operator: unknown in operand": "Diesen Ort der Suche gibt es nicht.",
  "Invalid narrow operator: unknown channels operand": "Diese Kanäle gibt es nicht.",
  "Invalid narrow operator: a message has one sender": "Eine Nachricht hat einen Absender.",
  "Invalid narrow operator: {} takes a message ID": "Nach {0}: kommt die Nummer einer Nachricht.",
  "Invalid narrow operator: with names no message that you can read":
    "Die Nachricht dieses Links kannst du nicht lesen.",
  "There is nothing at this address.": "Unter dieser Adresse ist nichts.",
  "Sign in with your email and API key.": "Melde dich an.",
  "This API key does not belong to this email address.": "Die Anmeldung gilt nicht mehr. Melde dich neu an.",
  "This account is deactivated.": "Dieses Konto ist deaktiviert.",
  "Your account is deactivated.": "Dein Konto ist deaktiviert.",
  "The username or the password is wrong.": "Die E-Mail-Adresse oder das Passwort stimmt nicht.",
  "Too many people are signing in at once. Try again in a few seconds.":
    "Gerade melden sich zu viele gleichzeitig an. Versuche es in ein paar Sekunden noch einmal.",
  "A browser may do this from the server's own pages only: the Origin header names another, or none.":
    "Das geht im Browser nur von den Seiten des Servers aus.",
  "Bots cannot do this.": "Bots können das nicht.",
  "Incoming webhook bots cannot do this.": "Eingehende Webhooks können das nicht.",
  "Guests cannot do this.": "Gäste können das nicht.",
  "This is for moderators and above.": "Das dürfen nur Moderatoren und höher.",
  "This is for administrators.": "Das dürfen nur Administratoren.",
  "This is for owners.": "Das dürfen nur Besitzer.",
  "Only administrators may do this: insufficient permission.": "Das dürfen nur Administratoren.",
  "No such session": "Diese Anmeldung gibt es nicht mehr.",

  // Passwords, links and sessions
  "A password has at least {} characters.": "Ein Passwort hat mindestens {0} Zeichen.",
  "A password has at most {} characters.": "Ein Passwort hat höchstens {0} Zeichen.",
  "This password is one of those that are guessed first. Take several words, say.":
    "Dieses Passwort ist eines von denen, die man zuerst errät. Nimm zum Beispiel mehrere Wörter.",
  "A password cannot be made of your name or email address: that is guessed first.":
    "Ein Passwort darf nicht aus deinem Namen oder deiner E-Mail-Adresse bestehen: Das errät man zuerst.",
  "The old password is wrong.": "Das alte Passwort stimmt nicht.",
  "Bots have no password.": "Bots haben kein Passwort.",
  "This link cannot be used any more. Ask an administrator for a new one.":
    "Dieser Link lässt sich nicht mehr benutzen. Bitte einen Administrator um einen neuen.",
  "This link cannot be used any more. Ask whoever gave it to you for a new one.":
    "Dieser Link lässt sich nicht mehr benutzen. Frage die Person, von der du ihn hast, nach einem neuen.",
  "This user is deactivated: bring them back first.": "Diese Person ist deaktiviert: Reaktiviere sie zuerst.",
  "Only an owner's password is set at the desk. Others get a sign-in link.":
    "Hier setzt man nur das Passwort von Besitzern. Andere bekommen einen Anmeldelink.",
  "PATCH /settings changes your own address: it asks for your password.":
    "Deine eigene Adresse änderst du in deinen Einstellungen: dort wird nach deinem Passwort gefragt.",

  // People
  "No such user": "Diese Person gibt es nicht.",
  "Invalid user ID {}": "Diese Person gibt es nicht.",
  "Invalid user ID: {}": "Diese Person gibt es nicht.",
  "There is no user with ID {}.": "Diese Person gibt es nicht.",
  "Invalid email {}": "Niemand hier hat die Adresse {0}.",
  "A name has at least {} characters.": "Ein Name hat mindestens {0} Zeichen.",
  "A name has at most {} characters.": "Ein Name hat höchstens {0} Zeichen.",
  "A name needs a character that can be seen.": "Ein Name braucht ein Zeichen, das man sieht.",
  "A name cannot contain {}.": "Ein Name darf {0} nicht enthalten.",
  "Somebody is called {} already: names are unique here.": "Jemand heißt schon {0}: Namen sind hier einmalig.",
  "That is not an email address.": "Das ist keine E-Mail-Adresse.",
  "An email address has at most {} characters.": "Eine E-Mail-Adresse hat höchstens {0} Zeichen.",
  "Somebody has an account with {} already.": "Es gibt schon ein Konto mit {0}.",
  "{} would stand for somebody who hides their address.": "{0} würde für jemanden stehen, der seine Adresse verbirgt.",
  "Only email addresses of certain domains may join this organization.":
    "Dieser Organisation tritt man nur mit E-Mail-Adressen bei bestimmten Domains bei.",
  "Addresses of this domain are thrown away after use: take one that is kept.":
    "Das ist eine Wegwerfadresse: Nimm eine, die du behältst.",
  "Names are for administrators to change here: insufficient permission.": "Namen ändern hier nur Administratoren.",
  "Email addresses are for administrators to change here: insufficient permission.":
    "E-Mail-Adressen ändern hier nur Administratoren.",
  "Pictures are for administrators to change here: insufficient permission.": "Bilder ändern hier nur Administratoren.",
  "Only administrators may change roles.": "Rollen ändern nur Administratoren.",
  "Only owners may change an owner.": "Besitzer ändern nur Besitzer.",
  "Only owners may make somebody an owner.": "Nur Besitzer machen jemanden zum Besitzer.",
  "The only owner of the organization cannot have another role.":
    "Der einzige Besitzer der Organisation kann keine andere Rolle haben.",
  "The only owner of the organization cannot be deactivated.":
    "Der einzige Besitzer der Organisation lässt sich nicht deaktivieren.",
  "You are the only owner of the organization: make somebody else an owner first.":
    "Du bist der einzige Besitzer der Organisation: Mach zuerst jemand anderen zum Besitzer.",
  "This user is deactivated.": "Diese Person ist deaktiviert.",
  "This user is deactivated already.": "Diese Person ist schon deaktiviert.",
  "This user is active already.": "Diese Person ist schon aktiv.",
  "Only administrators may set the status of others: insufficient permission.":
    "Den Status anderer setzen nur Administratoren.",
  "Bots have no status.": "Bots haben keinen Status.",
  "No new values were passed: give a text, an emoji or both.": "Gib einen Text an, ein Emoji oder beides.",
  "Presence is not kept of bots.": "Bei Bots wird nicht festgehalten, wann sie da sind.",
  "Nothing is known of this user's presence.": "Wann diese Person da war, ist nicht bekannt.",
  "You cannot mute yourself.": "Dich selbst kannst du nicht stummschalten.",
  "You have muted this user already.": "Du hast diese Person schon stummgeschaltet.",
  "You have not muted this user.": "Du hast diese Person nicht stummgeschaltet.",
  "alert_words: you can have at most {}.": "Höchstens {0} Wörter können dich benachrichtigen.",
  "alert_words: a word has at most {} characters.": "Ein Wort hat höchstens {0} Zeichen.",

  // Profiles
  "Bots have no profile.": "Bots haben kein Profil.",
  "There is no profile field {}.": "Dieses Profilfeld gibt es nicht.",
  "There is a profile field called {} already.": "Ein Profilfeld namens {0} gibt es schon.",
  "use_for_user_matching is for short texts and external accounts.":
    "Nur kurze Texte und Konten anderswo helfen, Personen zu finden.",
  "{name}: an account that clients know keeps its own.": "Ein Konto, das Apps kennen, behält, was es dafür mitbringt.",
  "name: a profile field needs a name.": "Ein Profilfeld braucht einen Namen.",
  "display_in_profile_summary is not for long texts and lists of users.":
    "Lange Texte und Personen stehen nicht auf der Karte.",
  "display_in_profile_summary: at most {} fields can have it.": "Höchstens {0} Felder stehen auf der Karte.",
  "field_data is for lists of options and external accounts.":
    "Das ist nur bei Auswahllisten und Konten anderswo möglich.",
  "field_data of a list must hold {text, order} for each of its options.": "Jede Auswahl braucht einen Text.",
  "field_data: a list needs an option.": "Eine Auswahlliste braucht mindestens eine Auswahl.",
  "field_data: an option needs a key and a text.": "Jede Auswahl braucht einen Text.",
  "field_data: an option's order must be a number, as text.": "Die Reihenfolge der Auswahl stimmt nicht.",
  "field_data: the option {} is there twice.": "Die Auswahl {0} gibt es zweimal.",
  "field_data of an external account must hold its subtype.": "Sag, welches Konto es ist.",
  "field_data: url_pattern is for custom accounts.": "Nur ein eigenes Konto hat eine eigene Adresse.",
  "field_data: there is no kind of account {}.": "Ein Konto der Art {0} gibt es nicht.",
  "field_data: a custom account needs a url_pattern.": "Ein eigenes Konto braucht eine Adresse.",
  "field_data: url_pattern must hold {} once.": "In der Adresse muss {0} einmal stehen.",
  "field_data: url_pattern must be a web address.": "Die Adresse muss eine Webadresse sein.",
  "order must hold the ID of every profile field, once each.":
    "Die Profilfelder haben sich inzwischen geändert: Lade die Seite neu.",
  "Only administrators may change {}: insufficient permission.": "{0} ändern nur Administratoren.",
  "{} has no option {}.": "{0} hat keine Auswahl {1}.",
  "{} must be a date: YYYY-MM-DD.": "{0} muss ein Datum sein: JJJJ-MM-TT.",
  "{} must be a list of user IDs.": "{0} muss eine Liste von Personen sein.",
  "{}: the user {} is deactivated.": "{0}: eine dieser Personen ist deaktiviert.",
  "{}: the user {} is a bot.": "{0}: eine dieser Personen ist ein Bot.",
  "data must hold each field once.": "Jedes Feld darf nur einmal vorkommen.",

  // Invitations
  "You may not invite people: insufficient permission.": "Du darfst niemanden einladen.",
  "You may not invite people to a role above your own: insufficient permission.":
    "Du darfst niemanden mit einer Rolle einladen, die über deiner steht.",
  "This invites to more than you could give yourself: insufficient permission.":
    "Das lädt zu mehr ein, als du selbst geben könntest.",
  "This invites an owner: it is for owners to change: insufficient permission.":
    "Das lädt einen Besitzer ein: Das ändern nur Besitzer.",
  "stream_ids: invalid channel ID {}. Nobody was invited.":
    "Einen dieser Kanäle gibt es nicht. Niemand wurde eingeladen.",
  "stream_ids: invalid channel ID {}. Nobody was added.":
    "Einen dieser Kanäle gibt es nicht. Niemand wurde hinzugefügt.",
  "stream_ids: you may not subscribe others to {}: insufficient permission.":
    "Du darfst andere nicht in den Kanal {0} eintragen.",
  "No such invitation.": "Diese Einladung gibt es nicht.",
  "This invitation is for {}.": "Diese Einladung ist für {0}.",
  "invitee_emails: name at least one address.": "Gib mindestens eine Adresse ein.",
  "invitee_emails: at most {} addresses at once.": "Höchstens {0} Adressen auf einmal.",
  "At most {} addresses can be invited in a day: nobody was invited.":
    "Höchstens {0} Adressen lassen sich an einem Tag einladen: Niemand wurde eingeladen.",
  "Some of these people could not be invited; for the others there are links to pass on.":
    "Einige ließen sich nicht einladen; für die anderen gibt es Links zum Weitergeben.",
  "None of these people could be invited.": "Niemand davon ließ sich einladen.",
  "This person cannot join any more.": "Diese Person kann nicht mehr beitreten.",

  // Groups and permissions
  "Invalid user group": "Diese Gruppe gibt es nicht.",
  "Invalid user group ID: {}": "Diese Gruppe gibt es nicht.",
  "System groups cannot be changed.": "Gruppen nach Rolle lassen sich nicht ändern.",
  "You may not change this group: insufficient permission.": "Du darfst diese Gruppe nicht ändern.",
  "You may not create groups: insufficient permission.": "Du darfst keine Gruppen erstellen.",
  "You may not join this group: insufficient permission.": "Du darfst dieser Gruppe nicht beitreten.",
  "You may not leave this group: insufficient permission.": "Du darfst diese Gruppe nicht verlassen.",
  "You may not add members to this group: insufficient permission.":
    "Du darfst dieser Gruppe keine Mitglieder hinzufügen.",
  "You may not remove members from this group: insufficient permission.":
    "Du darfst aus dieser Gruppe keine Mitglieder entfernen.",
  "You may not add subgroups to this group: insufficient permission.":
    "Du darfst dieser Gruppe keine Gruppen hinzufügen.",
  "You may not remove subgroups from this group: insufficient permission.":
    "Du darfst aus dieser Gruppe keine Gruppen entfernen.",
  "The group {} is deactivated.": "Die Gruppe {0} ist deaktiviert.",
  "This group is deactivated already.": "Diese Gruppe ist schon deaktiviert.",
  "This group is in use: take it out of the settings and groups that name it first.":
    "Diese Gruppe wird noch verwendet: Nimm sie zuerst aus den Einstellungen und Gruppen heraus, die sie nennen.",
  "The user {} is in this group already.": "Diese Person ist schon in dieser Gruppe.",
  "The user {} is not in this group.": "Diese Person ist nicht in dieser Gruppe.",
  "The group {} is a subgroup of this group already.": "Diese Gruppe ist schon Teil davon.",
  "The group {} is not a subgroup of this group.": "Diese Gruppe ist nicht Teil davon.",
  "The group {} holds this group already: a group cannot hold itself.":
    "Diese Gruppe ist schon Teil der Gruppe {0}: Eine Gruppe kann sich nicht selbst enthalten.",
  "name: there are at most {} groups, and {} of one person. Deactivate some first.":
    "Es gibt höchstens {0} Gruppen, und {1} von einer Person. Deaktiviere zuerst einige.",
  "members: groups have at most {} members together, and those of one person {}.":
    "Alle Gruppen haben zusammen höchstens {0} Mitglieder, und die einer Person {1}.",
  "A group needs a name.": "Eine Gruppe braucht einen Namen.",
  "A group's name has at most {} characters.": "Der Name einer Gruppe hat höchstens {0} Zeichen.",
  "A group's name cannot contain control characters.": "Der Name einer Gruppe darf keine Steuerzeichen enthalten.",
  "A group's name cannot begin with {}.": "Der Name einer Gruppe darf nicht mit {0} beginnen.",
  "A group's description has at most {} characters.": "Die Beschreibung einer Gruppe hat höchstens {0} Zeichen.",
  "There is a group {} already.": "Eine Gruppe {0} gibt es schon.",
  "Nobody and nothing was named.": "Nenne eine Person oder eine Gruppe.",
  "{name}: at most {} people and groups. Make a user group of them.":
    "Höchstens {1} Personen und Gruppen. Mach daraus eine Gruppe.",
  "{name} must be a system group.": "Hier lässt sich nur eine Rolle wählen.",
  "{name} cannot be {}.": "Diese Rolle lässt sich hier nicht wählen.",

  // Channels
  "Invalid channel ID": "Diesen Kanal gibt es nicht.",
  "Invalid channel ID {}": "Diesen Kanal gibt es nicht.",
  "There is no channel with ID {}.": "Diesen Kanal gibt es nicht.",
  "Invalid channel name {}": "Einen Kanal {0} gibt es nicht.",
  "There is no channel {}.": "Einen Kanal {0} gibt es nicht.",
  "The channel {} is archived.": "Der Kanal {0} ist archiviert.",
  "The channel {} is archived already.": "Der Kanal {0} ist schon archiviert.",
  "The channel {} is not archived.": "Der Kanal {0} ist nicht archiviert.",
  "Only administrators of the channel may change it: insufficient permission.":
    "Diesen Kanal ändern nur, die ihn verwalten.",
  "Only administrators may list all channels: insufficient permission.": "Alle Kanäle sehen nur Administratoren.",
  "The channel name {} is taken.": "Einen Kanal {0} gibt es schon.",
  "A channel needs a name.": "Ein Kanal braucht einen Namen.",
  "A channel's name has at most {} characters.": "Der Name eines Kanals hat höchstens {0} Zeichen.",
  "A channel's name cannot contain control characters.": "Der Name eines Kanals darf keine Steuerzeichen enthalten.",
  "A channel's description has at most {} characters.": "Die Beschreibung eines Kanals hat höchstens {0} Zeichen.",
  "You may not create private channels: insufficient permission.": "Du darfst keine privaten Kanäle erstellen.",
  "You may not create public channels: insufficient permission.": "Du darfst keine öffentlichen Kanäle erstellen.",
  "You may not make private channels: insufficient permission.": "Du darfst Kanäle nicht privat machen.",
  "You may not make public channels: insufficient permission.": "Du darfst Kanäle nicht öffentlich machen.",
  "You may not open channels to everybody: insufficient permission.": "Du darfst Kanäle nicht für das Web öffnen.",
  "A channel cannot be both private and open to everybody.":
    "Ein Kanal kann nicht zugleich privat und für das Web offen sein.",
  "Access without an account is turned off.": "Zugang ohne Konto ist ausgeschaltet.",
  "Only administrators may make default channels: insufficient permission.":
    "Standardkanäle erstellen nur Administratoren.",
  "Only administrators may change which channels are default channels: insufficient permission.":
    "Welche Kanäle Standardkanäle sind, ändern nur Administratoren.",
  "A private channel cannot be a default channel.": "Ein privater Kanal kann kein Standardkanal sein.",
  "An archived channel cannot be a default channel.": "Ein archivierter Kanal kann kein Standardkanal sein.",
  "A default channel cannot be made private.": "Ein Standardkanal kann nicht privat werden.",
  "A private channel without subscribers cannot be brought back: nobody could read it.":
    "Ein privater Kanal ohne Abonnenten lässt sich nicht zurückholen: Niemand könnte ihn lesen.",
  "Only owners may set how long messages are kept: insufficient permission.":
    "Wie lange Nachrichten aufbewahrt werden, bestimmen nur Besitzer.",
  "You may not set what topics a channel takes: insufficient permission.":
    "Du darfst nicht bestimmen, welche Themen ein Kanal hat.",
  "You may not set who deletes messages: insufficient permission.":
    "Du darfst nicht bestimmen, wer Nachrichten löscht.",
  "Only who may read a private channel may change who else does: insufficient permission.":
    "Wer einen privaten Kanal liest, ändern nur, die ihn selbst lesen dürfen.",
  "history_public_to_subscribers: only a private channel keeps its history from new subscribers.":
    "Nur ein privater Kanal verbirgt seinen Verlauf vor neuen Abonnenten.",
  "Only somebody who can read a channel may limit it to the empty topic.":
    "Nur wer einen Kanal lesen kann, darf seine Themen abschaffen.",
  "Only a channel whose messages are all in the empty topic can be limited to it: move the others first.":
    "Ohne Themen geht nur ein Kanal, in dem keine Nachricht ein Thema hat: Verschiebe zuerst die anderen.",
  "{name}: one person can create {} channels. Archive some first.":
    "Eine Person kann {1} Kanäle erstellen. Archiviere zuerst einige.",
  "{name}: there are at most {} channels. Archive some first.":
    "Es gibt höchstens {1} Kanäle. Archiviere zuerst einige.",
  "{name}: descriptions and permissions of channels are too long together.":
    "Beschreibungen und Rechte der Kanäle sind zusammen zu lang.",
  "You are not subscribed to a channel with ID {}.": "Du hast diesen Kanal nicht abonniert.",
  "You may not subscribe these users to {}: insufficient permission.":
    "Du darfst diese Personen nicht in {0} eintragen.",
  "You may not unsubscribe these users from {}: insufficient permission.":
    "Du darfst diese Personen nicht aus {0} austragen.",
  "Guests may not subscribe themselves: insufficient permission.": "Gäste können Kanäle nicht selbst abonnieren.",
  "{name}value of color must be a color like #c2c2c2.": "Das ist keine Farbe wie #c2c2c2.",
  "Only administrators may manage channel folders.": "Ordner ändern nur Administratoren.",
  "Invalid channel folder ID": "Diesen Ordner gibt es nicht.",
  "The channel folder {} is archived: it takes no channels.":
    "Der Ordner {0} ist archiviert: Kanäle kommen nicht mehr hinein.",
  "There is a channel folder {} already.": "Einen Ordner {0} gibt es schon.",
  "order must name every channel folder once, archived ones too.":
    "Die Ordner haben sich inzwischen geändert: Lade die Seite neu.",
  "name: a channel folder needs a name.": "Ein Ordner braucht einen Namen.",
  "name: a channel folder's name cannot contain control characters.":
    "Der Name eines Ordners darf keine Steuerzeichen enthalten.",
  "A channel folder can be archived only when no channel is in it, not even an archived one.":
    "Ein Ordner lässt sich nur archivieren, wenn kein Kanal darin ist, auch kein archivierter.",
  "A default channel group needs a name.": "Eine Gruppe von Standardkanälen braucht einen Namen.",
  "There is a default channel group {} already.": "Eine Gruppe {0} von Standardkanälen gibt es schon.",
  "There is no default channel group with ID {}.": "Diese Gruppe von Standardkanälen gibt es nicht.",
  "The channel {} is private: it cannot be in a default channel group.":
    "Der Kanal {0} ist privat: Er kann in keiner Gruppe von Standardkanälen sein.",
  "The channel {} is a default channel: it needs no group.":
    "Der Kanal {0} ist ein Standardkanal: Er braucht keine Gruppe.",
  "The channel {} is already in the group {}.": "Der Kanal {0} ist schon in der Gruppe {1}.",
  "The channel {} is not in the group {}.": "Der Kanal {0} ist nicht in der Gruppe {1}.",

  // Messages and topics
  "A message must not be empty.": "Eine Nachricht darf nicht leer sein.",
  "Invalid message(s)": "Diese Nachricht gibt es nicht, oder du darfst sie nicht lesen.",
  "This channel needs a topic.": "In diesem Kanal braucht jede Nachricht ein Thema.",
  "This channel has only the empty topic.": "In diesem Kanal gibt es keine Themen.",
  "A message that turns to a channel needs a topic.": "Eine Nachricht an einen Kanal braucht ein Thema.",
  "Another type needs to: who or which channel gets the message.": "Sag, wohin die Nachricht geht.",
  "A channel message goes to one channel.": "Eine Nachricht geht in einen Kanal.",
  "A direct message needs recipients.": "Eine Direktnachricht braucht Empfänger.",
  "{} is deactivated and receives no messages.": "{0} ist deaktiviert und bekommt keine Nachrichten.",
  "Direct messages are not allowed between you: insufficient permission.":
    "Direktnachrichten zwischen euch sind nicht erlaubt.",
  "You may not begin direct conversations: insufficient permission.":
    "Du darfst keine Unterhaltungen mit Direktnachrichten beginnen.",
  "Only subscribers may post in the channel {}.": "Im Kanal {0} schreiben nur Abonnenten.",
  "You may not post in the channel {}.": "Du darfst im Kanal {0} nicht schreiben.",
  "Nobody may send in another's name here.": "Niemand sendet hier im Namen anderer.",
  "You may not mention the group {}: insufficient permission.": "Du darfst die Gruppe {0} nicht erwähnen.",
  "You may not mention everybody in a channel with so many subscribers.":
    "In einem Kanal mit so vielen Abonnenten darfst du nicht alle erwähnen.",
  "You may not mention everybody in a topic with so many participants.":
    "In einem Thema mit so vielen Beteiligten darfst du nicht alle erwähnen.",
  "You may edit only your own messages: insufficient permission.": "Du darfst nur eigene Nachrichten bearbeiten.",
  "Editing messages is turned off in this organization.":
    "In dieser Organisation lassen sich Nachrichten nicht bearbeiten.",
  "The time limit for editing this message has passed.": "Diese Nachricht lässt sich nicht mehr bearbeiten: zu alt.",
  "The message was edited by somebody meanwhile.": "Die Nachricht wurde inzwischen bearbeitet.",
  "A message with a widget cannot be edited.":
    "Eine Nachricht mit einer Umfrage oder Liste lässt sich nicht bearbeiten.",
  "A message's text cannot be edited while it moves to another channel.":
    "Text bearbeiten und in einen anderen Kanal verschieben geht nicht zugleich.",
  "There is nothing to change: give another content, topic or stream_id.": "Es gibt nichts zu ändern.",
  "Direct messages have no topic and cannot be moved.":
    "Direktnachrichten haben kein Thema und lassen sich nicht verschieben.",
  "The empty topic cannot be marked as resolved.": "Was kein Thema hat, lässt sich nicht als erledigt markieren.",
  "You may not move messages to another channel: insufficient permission.":
    "Du darfst Nachrichten nicht in einen anderen Kanal verschieben.",
  "You may not move messages to another topic: insufficient permission.":
    "Du darfst Nachrichten nicht in ein anderes Thema verschieben.",
  "You may not resolve topics: insufficient permission.": "Du darfst Themen nicht als erledigt markieren.",
  "These are {} messages: at most {} move, or are resolved, at once.":
    "Das sind {0} Nachrichten: Höchstens {1} gehen auf einmal.",
  "These are too many messages to leave a channel with so many subscribers at once: move a part.":
    "Das sind zu viele Nachrichten für einen Kanal mit so vielen Abonnenten: Verschiebe einen Teil.",
  "The time limit for moving this message has passed.": "Diese Nachricht lässt sich nicht mehr verschieben: zu alt.",
  "Only the newest {} of the topic's {} messages are young enough to be moved by you.": {
    one: "Von {1} Nachrichten des Themas ist nur die neueste jung genug, dass du sie verschieben darfst.",
    other: "Von {1} Nachrichten des Themas sind nur die neuesten {0} jung genug, dass du sie verschieben darfst.",
  },
  "You may not delete this message: insufficient permission.": "Du darfst diese Nachricht nicht löschen.",
  "The time limit for deleting this message has passed.": "Diese Nachricht lässt sich nicht mehr löschen: zu alt.",
  "Edit history is turned off in this organization.": "Frühere Fassungen sind in dieser Organisation nicht zu sehen.",
  "This organization has no channel for reported messages (moderation_request_channel_id).":
    "Diese Organisation hat keinen Kanal für gemeldete Nachrichten.",
  "description is missing: a report of the type other needs one.": "Sag, was an der Nachricht nicht stimmt.",
  "Read receipts are disabled in this organization.":
    "In dieser Organisation wird nicht gezeigt, wer eine Nachricht gelesen hat.",
  "Only administrators may delete topics.": "Themen löschen nur Administratoren.",
  "There is no topic {} in this channel.": "Ein Thema {0} gibt es in diesem Kanal nicht.",
  "You can keep at most {} policies for topics: delete some first.":
    "Du kannst höchstens {0} Themen folgen oder sie stummschalten: Nimm das bei einigen zuerst zurück.",

  // Reactions and emoji
  "You have given this reaction already.": "So hast du schon reagiert.",
  "You have not given this reaction.": "So hast du nicht reagiert.",
  "emoji_name: a message has at most {} different reactions.":
    "Eine Nachricht hat höchstens {0} verschiedene Reaktionen.",
  "The emoji {} does not exist.": "Das Emoji {0} gibt es nicht.",
  "This custom emoji has been deactivated.": "Dieses Emoji ist deaktiviert.",
  "Invalid custom emoji.": "Dieses Emoji gibt es nicht.",
  "Invalid custom emoji name.": "Dieses Emoji gibt es nicht.",
  "Invalid emoji code.": "Dieses Emoji gibt es nicht.",
  "Invalid emoji name.": "Dieses Emoji gibt es nicht.",
  "The emoji needs a name.": "Das Emoji braucht einen Namen.",
  "The name of an emoji has at most {} characters.": "Der Name eines Emoji hat höchstens {0} Zeichen.",
  "The name of an emoji has lower-case letters of a to z, digits, spaces, and any of _ - . only.":
    "Der Name eines Emoji besteht nur aus den Kleinbuchstaben a bis z, Ziffern, Leerzeichen und _ - .",
  "The name of an emoji ends with a letter or a digit.":
    "Der Name eines Emoji endet mit einem Buchstaben oder einer Ziffer.",
  "You may not add emoji: insufficient permission.": "Du darfst keine Emoji hinzufügen.",
  "A custom emoji with this name already exists.": "Ein eigenes Emoji dieses Namens gibt es schon.",
  "Only administrators may replace an emoji that everybody has: insufficient permission.":
    "Ein Emoji, das alle haben, ersetzen nur Administratoren.",
  "There are at most {} custom emoji, deactivated ones included.":
    "Es gibt höchstens {0} eigene Emoji, deaktivierte mitgezählt.",
  "Only administrators and whoever added this emoji may deactivate it.":
    "Dieses Emoji deaktivieren nur Administratoren und wer es hinzugefügt hat.",

  // Drafts and what is sent later
  "Your drafts are not kept on the server: enable_drafts_synchronization is off.":
    "Deine Entwürfe werden nicht auf dem Server aufbewahrt: Das ist in deinen Einstellungen ausgeschaltet.",
  "There is no such draft.": "Diesen Entwurf gibt es nicht.",
  "A draft must not be empty.": "Ein Entwurf darf nicht leer sein.",
  "A draft for a channel names exactly one channel.": "Ein Entwurf ist für einen Kanal.",
  "You can keep at most {} drafts: delete some first.":
    "Du kannst höchstens {0} Entwürfe behalten: Lösche zuerst einige.",
  "{name}: your drafts hold at most {} characters together. Delete some first.":
    "Deine Entwürfe haben zusammen höchstens {1} Zeichen. Lösche zuerst einige.",
  "There is no such reminder.": "Diese Erinnerung gibt es nicht.",
  "You can keep at most {} reminders: delete some first.":
    "Du kannst höchstens {0} Erinnerungen haben: Lösche zuerst einige.",
  "{name}: your reminders hold at most {} characters together. Delete some first.":
    "Deine Erinnerungen haben zusammen höchstens {1} Zeichen. Lösche zuerst einige.",
  "There is no such saved snippet.": "Diesen Textbaustein gibt es nicht.",
  "A saved snippet needs a title.": "Ein Textbaustein braucht einen Titel.",
  "A saved snippet needs content.": "Ein Textbaustein braucht einen Text.",
  "You can keep at most {} saved snippets: delete some first.":
    "Du kannst höchstens {0} Textbausteine behalten: Lösche zuerst einige.",
  "{name}: your saved snippets hold at most {} characters together. Delete some first.":
    "Deine Textbausteine haben zusammen höchstens {1} Zeichen. Lösche zuerst einige.",
  "There is no such scheduled message.": "Diese geplante Nachricht gibt es nicht.",
  "You can keep at most {} scheduled messages: delete some first.":
    "Du kannst höchstens {0} geplante Nachrichten haben: Lösche zuerst einige.",
  "{name}: your scheduled messages hold at most {} characters together. Delete some first.":
    "Deine geplanten Nachrichten haben zusammen höchstens {1} Zeichen. Lösche zuerst einige.",
  "scheduled_delivery_timestamp is in seconds, and at most {}.": "Diese Zeit liegt zu weit in der Zukunft.",
  "scheduled_delivery_timestamp must be in the future.": "Diese Zeit muss in der Zukunft liegen.",
  "A message that could not be sent needs a new scheduled_delivery_timestamp.":
    "Eine Nachricht, die sich nicht senden ließ, braucht eine neue Zeit.",
  "The sender's account is deactivated.": "Das Konto des Absenders ist deaktiviert.",

  // Files and pictures
  "There is no such file.": "Diese Datei gibt es nicht.",
  "Invalid attachment": "Diese Datei gibt es nicht.",
  "The file is larger than this server allows: at most {} MiB.":
    "Die Datei ist größer, als dieser Server erlaubt: höchstens {0} MiB.",
  "There is no room for the file: your organization's uploads have reached their limit.":
    "Für die Datei ist kein Platz: Das Hochgeladene deiner Organisation hat seine Grenze erreicht.",
  "There is no file: send one in a part of multipart/form-data.": "Es wurde keine Datei gesendet.",
  "Send one file.": "Sende eine einzige Datei.",
  "Send at most {} files.": "Sende höchstens {0} Dateien.",
  "Send a picture, as a file of a multipart/form-data body.": "Es wurde kein Bild gesendet.",
  "The picture is too large: at most {} MiB.": "Das Bild ist zu groß: höchstens {0} MiB.",
  "This file is no picture that can be read: send a PNG, JPEG, GIF, WebP, AVIF or TIFF.":
    "Diese Datei ist kein lesbares Bild: Nimm PNG, JPEG, GIF, WebP, AVIF oder TIFF.",
  "This picture has too many pixels to decode. Send a smaller one.":
    "Dieses Bild hat zu viele Pixel. Sende ein kleineres.",
  "This picture takes too long to decode.": "Dieses Bild zu lesen dauert zu lange.",
  "Too many of your pictures are waiting. Try again in a moment.":
    "Gerade warten zu viele deiner Bilder. Versuche es gleich noch einmal.",
  "This picture is damaged, so its location and other details can't be removed. Send it in an archive instead.":
    "Dieses Bild ist beschädigt, deshalb lassen sich sein Ort und andere Angaben nicht entfernen. Sende es stattdessen in einem Archiv.",
  "The picture is gone.": "Das Bild gibt es nicht mehr.",
  "There is no such picture.": "Dieses Bild gibt es nicht.",
  "There is no such thumbnail.": "Dieses Vorschaubild gibt es nicht.",

  // The organization and its settings
  "An organization needs a name.": "Eine Organisation braucht einen Namen.",
  "An organization's name has at most {} characters.": "Der Name einer Organisation hat höchstens {0} Zeichen.",
  "An organization's name cannot contain control characters.":
    "Der Name einer Organisation darf keine Steuerzeichen enthalten.",
  "{name} is for owners to change.": "Das ändern nur Besitzer.",
  "string_id: this organization is the only one of its server, and has no such name.":
    "Diese Organisation ist die einzige auf ihrem Server und hat keinen solchen Namen.",
  "{name} must be a private channel: what is reported is not for everybody.":
    "Das muss ein privater Kanal sein: Was gemeldet wird, ist nicht für alle.",
  "{name}: you cannot read this channel: insufficient permission.": "Diesen Kanal kannst du nicht lesen.",
  "default_code_block_language: no language is called {} here.": "Eine Sprache {0} gibt es hier nicht.",
  "Set by an environment variable, which wins: {}.":
    "Das ist durch eine Umgebungsvariable festgelegt, die Vorrang hat: {0}.",
  "deletion_delay_days: the data is in a folder on the server's own computer, and is deleted there and nowhere else.":
    "Die Daten liegen in einem Ordner auf dem Computer des Servers und werden nur dort gelöscht.",
  "domain must be the domain of email addresses.": "Das ist keine Domain von E-Mail-Adressen.",
  "The domain {} is on the list already.": "Die Domain {0} steht schon auf der Liste.",
  "The domain is not on the list.": "Die Domain steht nicht auf der Liste.",
  "Linkifier not found.": "Dieses Linkmuster gibt es nicht.",
  "A linkifier with this pattern exists already.": "Ein Linkmuster mit diesem Muster gibt es schon.",
  "There are {} linkifiers, and no room for more.": "Es gibt {0} Linkmuster; für mehr ist kein Platz.",
  "The list must have the ID of every linkifier exactly once.":
    "Die Linkmuster haben sich inzwischen geändert: Lade die Seite neu.",
  "The pattern is empty.": "Das Muster ist leer.",
  "The pattern is too long: at most {} characters.": "Das Muster ist zu lang: höchstens {0} Zeichen.",
  "The pattern is too complicated.": "Das Muster ist zu kompliziert.",
  "The pattern matches the empty text.": "Das Muster passt auch auf leeren Text.",
  "Bad regular expression: {}": "Der reguläre Ausdruck stimmt nicht: {0}",
  "Invalid URL template.": "Das ist keine URL-Vorlage.",
  "The URL template is too long: at most {} characters.": "Die Adresse ist zu lang: höchstens {0} Zeichen.",
  "The URL template must lead to a web address.": "Die Adresse muss ins Web führen.",
  "The URL template uses the group {}, which the pattern lacks.": "Die Gruppe „{0}“ der Adresse steht nicht im Muster.",
  "The URL template does not use the group {} of the pattern.":
    "Die Gruppe „{0}“ des Musters steht nicht in der Adresse.",
  "Playground not found.": "Diese Spielwiese gibt es nicht.",
  "A playground of this name and language exists already.":
    "Eine Spielwiese mit diesem Namen und dieser Sprache gibt es schon.",
  "There are {} playgrounds, and no room for more.": "Es gibt {0} Spielwiesen; für mehr ist kein Platz.",
  "pygments_language has characters of no language.": "So heißt keine Sprache.",
  'The URL template does not have the variable "code".': "In der Adresse fehlt {code}.",
  '"code" must be the only variable of the URL template.': "In der Adresse darf nur {code} in Klammern stehen.",

  // Bots and webhooks
  "No such bot": "Diesen Bot gibt es nicht.",
  "Only its owner and administrators may manage this bot: insufficient permission.":
    "Diesen Bot verwalten nur sein Besitzer und Administratoren.",
  "This bot is deactivated already.": "Dieser Bot ist schon deaktiviert.",
  "Another bot is called {}.": "Ein anderer Bot heißt schon {0}.",
  "You may not create bots of this kind: insufficient permission.": "Du darfst keine Bots dieser Art erstellen.",
  "You may not create bots, nor bring them back: insufficient permission.":
    "Du darfst Bots weder erstellen noch reaktivieren.",
  "A bot cannot have a role above its owner's.": "Ein Bot kann keine Rolle haben, die über der seines Besitzers steht.",
  "Only a bot has an owner.": "Nur ein Bot hat einen Besitzer.",
  "bot_type: embedded bots do not exist here.": "Bots dieser Art gibt es hier nicht.",
  "bot_type: you can have at most {} bots, deactivated ones too.":
    "Du kannst höchstens {0} Bots haben, deaktivierte mitgezählt.",
  "short_name: 1 to 50 letters, digits, dots, hyphens and underscores.":
    "1 bis 50 Buchstaben, Ziffern, Punkte, Bindestriche und Unterstriche.",
  "bot_owner_id: no such user": "Diese Person gibt es nicht.",
  "bot_owner_id: this user is deactivated.": "Diese Person ist deaktiviert.",
  "bot_owner_id: bots cannot own bots.": "Ein Bot kann keinen Bot besitzen.",
  "bot_owner_id: guests cannot own bots.": "Gäste können keinen Bot besitzen.",
  "service_name: there is no integration {}.": "Eine Integration {0} gibt es nicht.",
  "{} is not an address.": "{0} ist keine Adresse.",
  "{} leads to {} of this machine, which webhooks may not reach unless the operator lists it in WEBHOOK_ALLOWED_HOSTS.":
    "{0} führt zu {1}, einer Adresse dieses Computers. Dorthin dürfen Webhooks nur, wenn sie unter den erlaubten Hosts steht (WEBHOOK_ALLOWED_HOSTS).",
  "{} leads to an address of this machine, which webhooks may not reach unless the operator lists it in WEBHOOK_ALLOWED_HOSTS.":
    "{0} führt zu einer Adresse dieses Computers. Dorthin dürfen Webhooks nur, wenn sie unter den erlaubten Hosts steht (WEBHOOK_ALLOWED_HOSTS).",
  "{} leads to {}, where machines keep their credentials.":
    "{0} führt zu {1}, wo Computer ihre Zugangsdaten aufbewahren.",
  "{} leads to an address, where machines keep their credentials.":
    "{0} führt dorthin, wo Computer ihre Zugangsdaten aufbewahren.",
  "{} leads to {} in the local network: an administrator has to choose such an address.":
    "{0} führt zu {1} im lokalen Netzwerk: Eine solche Adresse muss ein Administrator wählen.",
  "{} leads to an address in the local network: an administrator has to choose such an address.":
    "{0} führt ins lokale Netzwerk: Eine solche Adresse muss ein Administrator wählen.",
  "{} leads to {} ({}), which webhooks may not reach unless the operator lists it in WEBHOOK_ALLOWED_HOSTS.":
    "{0} führt zu {1} ({2}). Dorthin dürfen Webhooks nur, wenn es unter den erlaubten Hosts steht (WEBHOOK_ALLOWED_HOSTS).",
  "{} leads to an address ({}), which webhooks may not reach unless the operator lists it in WEBHOOK_ALLOWED_HOSTS.":
    "{0} führt zu einer Adresse ({1}), zu der Webhooks nur dürfen, wenn sie unter den erlaubten Hosts steht (WEBHOOK_ALLOWED_HOSTS).",
  "This bot is no outgoing webhook.": "Dieser Bot ist kein ausgehender Webhook.",
  "There is no such delivery.": "Diese Zustellung gibt es nicht mehr.",
  "There is no such receipt.": "Diese Anfrage gibt es nicht mehr.",
  "This delivery waits already.": "Diese Zustellung wartet schon.",
  "It was given up by hand.": "Von Hand aufgegeben.",
  "It was given up by hand. {}": "Von Hand aufgegeben. {0}",
  "It failed.": "Das ging nicht.",
  "The message was deleted, or the bot can no longer read it.":
    "Die Nachricht wurde gelöscht, oder der Bot kann sie nicht mehr lesen.",
  "This delivery does not wait any more.": "Diese Zustellung wartet nicht mehr.",
  "This bot is deactivated: its deliveries wait.": "Dieser Bot ist deaktiviert: Seine Zustellungen warten.",
  "This bot is paused: its deliveries wait.": "Dieser Bot macht Pause: Seine Zustellungen warten.",
  "The bot was deactivated before the answer came.": "Der Bot wurde deaktiviert, bevor die Antwort kam.",
  "The organization was deactivated before the answer came.":
    "Die Organisation wurde deaktiviert, bevor die Antwort kam.",
  "The answer's content is too long: at most {} characters.":
    "Der Text der Antwort ist zu lang: höchstens {0} Zeichen.",
  "The answer is not JSON.": "Die Antwort ist kein JSON.",
  "The answer is no JSON object.": "Die Antwort ist kein JSON-Objekt.",
  "The answer's content is not a text.": "Das Feld content der Antwort ist kein Text.",
  "The answer's widget_content is no zform with choices.":
    "Das Feld widget_content der Antwort ist kein zform mit einer Auswahl.",
  "The answer's widget_content is too long: at most {} characters.":
    "Das Feld widget_content der Antwort ist zu lang: höchstens {0} Zeichen.",
  "Its token or its signing secret cannot be read, because the server's secret key was replaced. Replace both on the bot's page.":
    "Sein Token oder sein Signaturgeheimnis ist nicht mehr lesbar, weil der geheime Schlüssel des Servers ersetzt wurde. Ersetze beide auf der Seite des Bots.",
  "The signature cannot be checked: the server's secret key was replaced. Set the bot's webhook secret again.":
    "Die Signatur kann nicht geprüft werden: Der geheime Schlüssel des Servers wurde ersetzt. Setze das Geheimnis des Webhooks neu.",
  "{} is not a Hearth backup: its {} is malformed.": "{0} ist keine Sicherung von Hearth: Das Manifest ist fehlerhaft.",
  "The secret key in this backup is malformed. No passphrase opens it.":
    "Der geheime Schlüssel in dieser Sicherung ist fehlerhaft. Keine Passphrase öffnet ihn.",
  "{} was made without a passphrase, and has no secret.key.":
    "{0} wurde ohne Passphrase erstellt und enthält kein secret.key.",
  "Set HEARTH_BACKUP_PASSPHRASE to the passphrase of {}.": "Setze HEARTH_BACKUP_PASSPHRASE auf die Passphrase von {0}.",
  "It answered with the HTTP status {}.": "Die Antwort kam mit dem HTTP-Status {0}.",
  "It redirects more than {} times.": "Die Adresse leitet öfter als {0}-mal weiter.",
  "It redirects to what is no address.": "Die Adresse leitet dorthin weiter, wo keine Adresse ist.",
  "It redirects to {}, which is not of the web.": "Die Adresse leitet zu {0} weiter, und das ist nicht im Web.",
  "It redirects from https to http.": "Die Adresse leitet von https zu http weiter.",
  "{} has no address.": "{0} hat keine Adresse.",
  "No whole answer came within {} seconds.": {
    one: "Innerhalb von {0} Sekunde kam keine ganze Antwort.",
    other: "Innerhalb von {0} Sekunden kam keine ganze Antwort.",
  },
  "Its answer is larger than {} bytes.": "Die Antwort ist größer als {0} Bytes.",
  "Nothing answers at this address.": "Unter dieser Adresse antwortet nichts.",
  "The connection was closed before an answer came.": "Die Verbindung wurde beendet, bevor eine Antwort kam.",
  "The connection failed: {}": "Die Verbindung ist gescheitert: {0}",
  "The host's name is unknown.": "Den Namen des Hosts gibt es nicht.",
  "The host's name could not be looked up.": "Der Name des Hosts ließ sich nicht nachschlagen.",
  "The host cannot be reached.": "Der Host ist nicht erreichbar.",
  "The host's network cannot be reached.": "Das Netzwerk des Hosts ist nicht erreichbar.",
  "Something else answers there, with status {}.": "Dort antwortet etwas anderes, mit dem Status {0}.",
  "Nothing answers within {} s.": "Innerhalb von {0} s antwortet nichts.",

  // Backups and exports
  "A backup is being made already.": "Eine Sicherung läuft schon.",
  "A backup is being checked. Wait for its end.": "Eine Sicherung wird gerade geprüft. Warte, bis das fertig ist.",
  "A backup is being restored already.": "Eine Sicherung wird gerade zurückgespielt.",
  "It is being worked on. Wait for its end.": "An ihr wird gerade gearbeitet. Warte, bis das fertig ist.",
  "There is no backup {}.": "Eine Sicherung {0} gibt es nicht.",
  "{} is there already. Choose another name.": "{0} gibt es schon. Wähle einen anderen Namen.",
  "{} is not a backup of Hearth.": "{0} ist keine Sicherung von Hearth.",
  "{} is damaged: {}. Use another backup.": "{0} ist beschädigt ({1}). Nimm eine andere Sicherung.",
  "{} was made by Hearth {}, which is newer than this one. Update Hearth first.":
    "{0} wurde von Hearth {1} gemacht, und das ist neuer als dieses. Aktualisiere zuerst Hearth.",
  "This backup holds the keys of the organization's apps and bots, under a passphrase. Give the passphrase, or choose to end all keys.":
    "Diese Sicherung enthält die Schlüssel der Apps und Bots, unter einer Passphrase. Gib die Passphrase ein, oder beende alle Schlüssel.",
  "A passphrase has at least {} characters.": "Eine Passphrase hat mindestens {0} Zeichen.",
  "The passphrase is not the one that this backup was made with.":
    "Das ist nicht die Passphrase, mit der diese Sicherung gemacht wurde.",
  "The backup could not be written to {}: there is no room left on its disk.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Auf der Platte ist kein Platz mehr.",
  "The backup could not be written to {}: this user may not write there.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Hearth darf dort nicht schreiben.",
  "The backup could not be written to {}: its disk takes no changes.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Die Platte nimmt keine Änderungen an.",
  "The backup could not be written to {}: it is not there.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Den Ordner gibt es nicht.",
  "The backup could not be written to {}: a part of its path is a file.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Ein Teil des Pfads ist eine Datei.",
  "The backup could not be written to {}: its disk reports errors.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Die Platte meldet Fehler.",
  "The backup could not be written to {}: it is a folder.":
    "Die Sicherung ließ sich nicht nach {0} schreiben: Das ist ein Ordner.",
  "{} could not be restored: there is no room left on its disk.":
    "{0} ließ sich nicht wiederherstellen: Auf der Platte ist kein Platz mehr.",
  "{} could not be restored: this user may not write there.":
    "{0} ließ sich nicht wiederherstellen: Hearth darf dort nicht schreiben.",
  "{} could not be restored: its disk takes no changes.":
    "{0} ließ sich nicht wiederherstellen: Die Platte nimmt keine Änderungen an.",
  "{} could not be restored: it is not there.": "{0} ließ sich nicht wiederherstellen: Den Ordner gibt es nicht.",
  "{} could not be restored: a part of its path is a file.":
    "{0} ließ sich nicht wiederherstellen: Ein Teil des Pfads ist eine Datei.",
  "{} could not be restored: its disk reports errors.":
    "{0} ließ sich nicht wiederherstellen: Die Platte meldet Fehler.",
  "{} could not be restored: it is a folder.": "{0} ließ sich nicht wiederherstellen: Das ist ein Ordner.",
  "The backup could not be made, because of {}: there is no room left on its disk.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Auf der Platte ist kein Platz mehr.",
  "The backup could not be made, because of {}: this user may not write there.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Hearth darf dort nicht schreiben.",
  "The backup could not be made, because of {}: its disk takes no changes.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Die Platte nimmt keine Änderungen an.",
  "The backup could not be made, because of {}: it is not there.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Das gibt es nicht.",
  "The backup could not be made, because of {}: a part of its path is a file.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Ein Teil des Pfads ist eine Datei.",
  "The backup could not be made, because of {}: it is a folder.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Das ist ein Ordner.",
  "The backup could not be made, because of {}: its disk reports errors.":
    "Die Sicherung ließ sich nicht machen, wegen {0}: Die Platte meldet Fehler.",
  "The backups in {} cannot be read: there is no room left on its disk.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Auf der Platte ist kein Platz mehr.",
  "The backups in {} cannot be read: this user may not write there.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Hearth darf dort nicht schreiben.",
  "The backups in {} cannot be read: its disk takes no changes.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Die Platte nimmt keine Änderungen an.",
  "The backups in {} cannot be read: it is not there.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Das gibt es nicht.",
  "The backups in {} cannot be read: a part of its path is a file.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Ein Teil des Pfads ist eine Datei.",
  "The backups in {} cannot be read: it is a folder.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Das ist ein Ordner.",
  "The backups in {} cannot be read: its disk reports errors.":
    "Die Sicherungen in {0} lassen sich nicht lesen: Die Platte meldet Fehler.",
  "{} could not be restored, because of {}: there is no room left on its disk.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Auf der Platte ist kein Platz mehr.",
  "{} could not be restored, because of {}: this user may not write there.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Hearth darf dort nicht schreiben.",
  "{} could not be restored, because of {}: its disk takes no changes.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Die Platte nimmt keine Änderungen an.",
  "{} could not be restored, because of {}: it is not there.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Das gibt es nicht.",
  "{} could not be restored, because of {}: a part of its path is a file.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Ein Teil des Pfads ist eine Datei.",
  "{} could not be restored, because of {}: it is a folder.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Das ist ein Ordner.",
  "{} could not be restored, because of {}: its disk reports errors.":
    "{0} ließ sich nicht wiederherstellen, wegen {1}: Die Platte meldet Fehler.",
  "{}: the system refuses to use it ({}).": "{0}: Das System lässt es nicht zu ({1}).",
  "{} is not on the new disk as it was written. Use another disk.":
    "{0} ist auf der neuen Platte nicht so, wie es geschrieben wurde. Nimm eine andere Platte.",
  "{} has too many folders in each other, or leads back into itself.":
    "{0} hat zu viele Ordner ineinander oder führt in sich selbst zurück.",
  "{} is neither a file nor a folder, and cannot be moved. Remove it first.":
    "{0} ist weder Datei noch Ordner und lässt sich nicht umziehen. Entferne es zuerst.",
  "The folder that {} was moved from is not there any more.": "Den Ordner, aus dem {0} kam, gibt es nicht mehr.",
  "{} holds other files now. Move them away first.": "In {0} sind jetzt andere Dateien. Lege sie zuerst anderswohin.",
  'This server cannot restart itself. Stop it, and use "hearth restore".':
    "Dieser Server kann sich nicht selbst neu starten. Beende ihn, und benutze „hearth restore“.",
  "Only whoever sits at the server's machine chooses the file and its passphrase.":
    "Die Datei und ihre Passphrase wählt nur, wer am Computer des Servers sitzt.",
  "Only whoever sits at the server's machine restores a backup: in Hearth's window there, or with \"hearth restore\".":
    "Eine Sicherung spielt nur zurück, wer am Computer des Servers sitzt: dort in Hearths Fenster, oder mit „hearth restore“.",
  "{} is not the whole path of a file.": "{0} ist nicht der ganze Pfad einer Datei.",
  "There is no file {}.": "Eine Datei {0} gibt es nicht.",
  "Invalid data export ID": "Diesen Export gibt es nicht.",
  "There is no such export.": "Diesen Export gibt es nicht.",
  "An export is being made already. Wait for its end.": "Ein Export läuft schon. Warte, bis er fertig ist.",
  "This export is still being made.": "Dieser Export läuft noch.",
  "This export is not being made any more.": "Dieser Export läuft nicht mehr.",
  "This export is deleted already.": "Dieser Export ist schon gelöscht.",
  "This export failed: there is nothing to delete.": "Dieser Export ist gescheitert: Es gibt nichts zu löschen.",
  "The file of this export is not on the server's disk any more.":
    "Die Datei dieses Exports ist nicht mehr auf der Festplatte des Servers.",
  "It was called off.": "Er wurde abgebrochen.",
  "The server stopped while it was made.": "Der Server wurde beendet, während er lief.",
  "The export could not be written to {}: there is no room left on its disk.":
    "Der Export ließ sich nicht nach {0} schreiben: Auf der Platte ist kein Platz mehr.",
  "The export could not be written to {}: this user may not write there.":
    "Der Export ließ sich nicht nach {0} schreiben: Hearth darf dort nicht schreiben.",
  "The export could not be written to {}: its disk takes no changes.":
    "Der Export ließ sich nicht nach {0} schreiben: Die Platte nimmt keine Änderungen an.",
  "The export could not be written to {}: it is not there.":
    "Der Export ließ sich nicht nach {0} schreiben: Den Ordner gibt es nicht.",
  "The export could not be written to {}: a part of its path is a file.":
    "Der Export ließ sich nicht nach {0} schreiben: Ein Teil des Pfads ist eine Datei.",
  "The export could not be written to {}: its disk reports errors.":
    "Der Export ließ sich nicht nach {0} schreiben: Die Platte meldet Fehler.",
  "The export could not be written to {}: it is a folder.":
    "Der Export ließ sich nicht nach {0} schreiben: Das ist ein Ordner.",

  // First run
  "That is not the code.": "Das ist nicht der Code.",
  "An organization is made on the server's own machine.": "Eine Organisation erstellt man am Computer des Servers.",
  "This organization is made in Hearth's own window.": "Diese Organisation erstellt man in Hearths eigenem Fenster.",
};
