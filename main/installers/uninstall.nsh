; What removing Hearth on Windows does beside taking its program away. electron-builder includes it.

!macro customUnInstall
  ${ifNot} ${isUpdated}
    ; "Start when I sign in" is the system's own record, under the app's id (main/main.ts).
    DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "org.hearth.Hearth"
    MessageBox MB_OK|MB_ICONINFORMATION "Hearth is removed. What people wrote is kept:$\r$\n$\r$\n$LOCALAPPDATA\Hearth$\r$\n(or the folder that you chose)$\r$\n$\r$\nHearth's settings, and a version kept by an update:$\r$\n$APPDATA\Hearth Desktop$\r$\n$\r$\nDelete these folders yourself if nobody needs them any more." /SD IDOK
  ${endIf}
!macroend
