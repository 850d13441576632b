; Runs when Windows' uninstaller has removed the program. electron-builder includes it, in an update too.

!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; "Start when I sign in" is the system's own record, under the app's id (main/main.ts).
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "org.hearth.Hearth"
    ${if} $LANGUAGE == 1031 ; German
      MessageBox MB_OK|MB_ICONINFORMATION "Hearth wurde entfernt. Die Daten der Organisation sind noch da:$\r$\n$\r$\n$LOCALAPPDATA\Hearth$\r$\n(oder in dem Ordner, den Sie angegeben haben)$\r$\n$\r$\nHearths Einstellungen und eine von einem Update aufgehobene Version:$\r$\n$APPDATA\Hearth Desktop$\r$\n$\r$\nEntfernen Sie diese Ordner selbst, wenn niemand sie mehr braucht." /SD IDOK
    ${else}
      MessageBox MB_OK|MB_ICONINFORMATION "Hearth was removed. The organization's data is still there:$\r$\n$\r$\n$LOCALAPPDATA\Hearth$\r$\n(or in the folder that you chose)$\r$\n$\r$\nHearth's settings, and a version kept by an update:$\r$\n$APPDATA\Hearth Desktop$\r$\n$\r$\nDelete these folders yourself if nobody needs them any more." /SD IDOK
    ${endIf}
  ${endIf}
!macroend
