import type { ServerSentences } from "../server-sentences.ts";

/** What the desktop's app and the start of its server refuse with, in German: see ServerSentences. */
export const desktopSentences: ServerSentences = {
  // main/texts.ts
  "The data folder {} is not there. If it is on another disk, connect that disk and try again.":
    "Der Datenordner {0} ist nicht da. Wenn er auf einer anderen Platte ist, schließe sie an und versuche es noch einmal.",
  "This user may not read and write in the data folder {}.":
    "Hearth darf im Datenordner {0} nicht lesen und schreiben.",
  "This user may not read and write in the data folder {}. ({})":
    "Hearth darf im Datenordner {0} nicht lesen und schreiben ({1}).",
  "{} holds files that are not Hearth's. Choose an empty folder, or one with an organization.":
    "In {0} sind Dateien, die nicht von Hearth sind. Wähle einen leeren Ordner, oder einen mit einer Organisation.",
  "No folder has been chosen.": "Es ist kein Ordner gewählt.",
  "The folder that the data was moved from is not there any more.":
    "Den Ordner, aus dem die Daten kamen, gibt es nicht mehr.",
  "Hearth is quitting.": "Hearth wird gerade beendet.",
  "The data of {} was moved, but no folder that it leads to holds it. Choose the folder of your organization.":
    "Die Daten aus {0} sind umgezogen, aber kein Ordner, zu dem das führt, enthält sie. Wähle den Ordner deiner Organisation.",
  "Hearth's settings could not be written, so nothing has changed: {}":
    "Hearths Einstellungen ließen sich nicht schreiben, es hat sich also nichts geändert: {0}",
  "The settings {} can be neither read nor put aside: {}":
    "Die Einstellungen {0} lassen sich weder lesen noch beiseitelegen: {1}",
  "This copy is no installation.": "Diese Kopie ist nicht installiert.",

  // Moving the data folder
  "{} is the data folder already.": "{0} ist schon der Datenordner.",
  "{} is in the data folder. Choose a place outside.": "{0} ist im Datenordner. Wähle einen Ort außerhalb.",
  "{} cannot be a folder: it is a file, or a part of its path is one.":
    "{0} kann kein Ordner sein: Es ist eine Datei, oder ein Teil des Pfads ist eine.",
  "{} is not there. Make it first, or connect its disk.":
    "{0} ist nicht da. Lege es zuerst an, oder schließe die Platte an.",
  "{} is not empty. Choose a name that is free, or an empty folder.":
    "{0} ist nicht leer. Wähle einen freien Namen, oder einen leeren Ordner.",
  "{} is where a disk begins. Choose a folder on it, for example {}.":
    "Bei {0} beginnt eine Platte. Wähle einen Ordner darauf, zum Beispiel {1}.",
  "This user may not write in {}.": "Hearth darf in {0} nicht schreiben.",
  "{} is on a network share without locks: two servers could write there at once. Choose a disk of this computer.":
    "{0} ist auf einer Netzwerkfreigabe ohne Sperren: Zwei Server könnten dort zugleich schreiben. Wähle eine Platte dieses Computers.",
  "{} has {} free, and the data needs {}.": "{0} hat {1} frei, und die Daten brauchen {2}.",

  // The start of the server
  "Port {} of {} is in use by another program. Stop that one, or choose another port.":
    "Port {0} von {1} benutzt ein anderes Programm. Beende es, oder wähle einen anderen Port.",
  "Port {} of {} is in use by another Hearth, which answers at {}. Stop that one, or choose another port.":
    "Port {0} von {1} benutzt ein anderes Hearth, das unter {2} antwortet. Beende es, oder wähle einen anderen Port.",
  "This user may not open port {} of {}. Choose one above 1023.":
    "Hearth darf Port {0} von {1} nicht öffnen. Wähle einen über 1023.",
  "This machine has no address {} to listen on. Choose another host.":
    "Dieser Computer hat keine Adresse {0}. Wähle einen anderen Host.",
  "Port {} of {} cannot be opened: {}": "Port {0} von {1} lässt sich nicht öffnen: {2}",
  "{} holds other files, and Hearth would close them to everybody else. Choose an empty folder.":
    "In {0} sind andere Dateien, und Hearth würde sie für alle anderen sperren. Wähle einen leeren Ordner.",
  "{} cannot be the data folder: {}.": "{0} kann nicht der Datenordner sein: {1}.",
  "This user may not read and write {} ({}). Give the data folder {}, with all that is in it, to the user that Hearth runs as.":
    "Hearth darf {0} nicht lesen und schreiben ({1}). Gib den Datenordner {2} mit allem darin dem Benutzer, unter dem Hearth läuft.",
  "{}: There is no room left on its disk. Make room there, and try again.":
    "{0}: Auf der Platte ist kein Platz mehr. Schaffe dort Platz und versuche es noch einmal.",
  "{}: This user may not read and write it. Give it to the user that Hearth runs as.":
    "{0}: Hearth darf das nicht lesen und schreiben. Gib es dem Benutzer, unter dem Hearth läuft.",
  "{}: Its disk takes no changes. Make the disk writable, or use another one.":
    "{0}: Die Platte nimmt keine Änderungen an. Mache sie beschreibbar, oder nimm eine andere.",
  "{}: It is not there. Check its path, and whether its disk is connected.":
    "{0}: Das gibt es nicht. Prüfe den Pfad, und ob die Platte angeschlossen ist.",
  "{}: A part of its path is a file. Check the path.": "{0}: Ein Teil des Pfads ist eine Datei. Prüfe den Pfad.",
  "{}: It is a folder. Give the path of a file.": "{0}: Das ist ein Ordner. Gib den Pfad einer Datei an.",
  "{}: Its disk reports errors. Copy the data folder to another disk, and check this one.":
    "{0}: Die Platte meldet Fehler. Kopiere den Datenordner auf eine andere Platte, und prüfe diese.",
  "{}: The system refuses to use it ({}).": "{0}: Das System lässt es nicht zu ({1}).",
  "{} is in use by another Hearth, which answers at {}. Stop that one first, or use another folder.":
    "{0} benutzt gerade ein anderes Hearth, das unter {1} antwortet. Beende es zuerst, oder nimm einen anderen Ordner.",
  "{} is in use by another Hearth, which may run in a container or be busy with a command. Stop that one first, or use another folder.":
    "{0} benutzt gerade ein anderes Hearth, das vielleicht in einem Container läuft oder mit einem Befehl beschäftigt ist. Beende es zuerst, oder nimm einen anderen Ordner.",
  "The file {} cannot be locked, so two servers could write there at the same time. Use a folder on a disk of this computer.":
    "Die Datei {0} lässt sich nicht sperren, also könnten zwei Server dort zugleich schreiben. Nimm einen Ordner auf einer Platte dieses Computers.",
  "Another Hearth has taken {} while this one was running, or its file lock was moved or changed. Nothing can be saved any more, so Hearth stops. Make sure that no other Hearth uses the folder, and start this one again.":
    "Ein anderes Hearth hat {0} übernommen, während dieses lief, oder die Datei lock darin wurde verschoben oder geändert. Es lässt sich nichts mehr speichern, daher hält Hearth an. Stelle sicher, dass kein anderes Hearth den Ordner benutzt, und starte dieses noch einmal.",
  "The data of {} was moved to {}: use that folder. If it is lost, and {} still holds the old data, delete {} in there to go on with that.":
    "Die Daten aus {0} sind nach {1} umgezogen: Benutze diesen Ordner. Wenn er verloren ist und in {2} noch die alten Daten sind, lösche dort {3}, um damit weiterzumachen.",
  "{} is a copy of {} that was not finished. Use {}, and delete this copy.":
    "{0} ist eine Kopie von {1}, die nicht fertig wurde. Benutze {2}, und lösche diese Kopie.",
};

/** Why a system refused something: Node's codes, and the server's words for some of them. */
export const causes: Readonly<Record<string, string>> = {
  EACCES: "der Zugriff ist nicht erlaubt",
  EADDRINUSE: "ein anderes Programm benutzt diesen Port",
  EADDRNOTAVAIL: "diese Adresse gibt es hier nicht",
  EBUSY: "ein anderes Programm benutzt es gerade",
  ECONNREFUSED: "dort antwortet nichts",
  ECONNRESET: "die Verbindung wurde abgebrochen",
  EDQUOT: "der Platz, der diesem Benutzer zusteht, ist aufgebraucht",
  EEXIST: "das gibt es schon",
  EHOSTUNREACH: "der Computer ist nicht erreichbar",
  EIO: "die Platte meldet Fehler",
  EISDIR: "das ist ein Ordner",
  EMFILE: "zu viele Dateien sind offen",
  ENAMETOOLONG: "der Name ist zu lang",
  ENETUNREACH: "das Netzwerk ist nicht erreichbar",
  ENOENT: "das gibt es nicht",
  ENOSPC: "auf der Platte ist kein Platz mehr",
  ENOTDIR: "ein Teil des Pfads ist eine Datei",
  ENOTEMPTY: "der Ordner ist nicht leer",
  ENOTFOUND: "den Namen des Hosts gibt es nicht",
  EPERM: "das ist nicht erlaubt",
  EROFS: "die Platte nimmt keine Änderungen an",
  ETIMEDOUT: "es kam keine Antwort",
  EXDEV: "das ist auf einer anderen Platte",
  "it is a file": "es ist eine Datei",
  "a part of its path is a file": "ein Teil des Pfads ist eine Datei",
  "it belongs to another user": "er gehört einem anderen Benutzer",
  "this user may not write there": "Hearth darf dort nicht schreiben",
  "its disk takes no changes": "die Platte nimmt keine Änderungen an",
  "there is no room left on its disk": "auf der Platte ist kein Platz mehr",
  "it is not there": "das gibt es nicht",
  "its disk reports errors": "die Platte meldet Fehler",
};
