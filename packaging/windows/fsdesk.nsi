; The setup of fsdesk for Windows: makensis -WX -DVERSION=0.1.0 -DNUMBERS=0.1.0.0 -DPAYLOAD=folder -DICON=file -DLICENCE=file
;     -DKILOBYTES=n -DHOMEPAGE=address -DOUT=file fsdesk.nsi
;
; setup.exe                  asks for whom; a user without administrator's rights installs for himself
; setup.exe /S /CurrentUser  silently, for this user      /S /AllUsers  for everyone, as administrator
;     /D=C:\some\folder      elsewhere; the last word, without quotes
; Exit codes: 0 done, 2 failed or fsdesk is running.
; A setup of another version takes the place of the one that is there. Projects and settings are never touched.

Unicode true
Target amd64-unicode
ManifestDPIAware true
ManifestLongPathAware true
ManifestSupportedOS Win10
SetCompressor /SOLID lzma
SetCompressorDictSize 64

!define NAME "fsdesk"
!define PROGRAM "fsdesk-window.exe"
!define TYPE "fsdesk.project"
!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\fsdesk"

!define MULTIUSER_EXECUTIONLEVEL Highest
!define MULTIUSER_MUI
!define MULTIUSER_INSTALLMODE_COMMANDLINE
!define MULTIUSER_INSTALLMODE_DEFAULT_CURRENTUSER
!define MULTIUSER_INSTALLMODE_INSTDIR "fsdesk"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_KEY "Software\fsdesk"
!define MULTIUSER_INSTALLMODE_INSTDIR_REGISTRY_VALUENAME "Folder"
!define MULTIUSER_INSTALLMODE_DEFAULT_REGISTRY_KEY "Software\fsdesk"
!define MULTIUSER_INSTALLMODE_DEFAULT_REGISTRY_VALUENAME "Folder"
!define MULTIUSER_USE_PROGRAMFILES64
!include MultiUser.nsh
!include MUI2.nsh
!include x64.nsh
!include WinVer.nsh

Name "${NAME}"
OutFile "${OUT}"
Icon "${ICON}"
UninstallIcon "${ICON}"
BrandingText "${NAME} ${VERSION}"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "${NAME}"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Setup of ${NAME}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\${PROGRAM}"
!insertmacro MUI_PAGE_LICENSE "${LICENCE}"
!insertmacro MULTIUSER_PAGE_INSTALLMODE
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"

LangString OLD ${LANG_ENGLISH} "fsdesk needs Windows 10 or newer, 64 bit."
LangString OLD ${LANG_GERMAN} "fsdesk braucht Windows 10 oder neuer, 64 Bit."
LangString RUNNING ${LANG_ENGLISH} "fsdesk is running: close it, then try again."
LangString RUNNING ${LANG_GERMAN} "fsdesk läuft noch: Schließen Sie es und versuchen Sie es dann noch einmal."
LangString PROJECT ${LANG_ENGLISH} "fsdesk project"
LangString PROJECT ${LANG_GERMAN} "fsdesk-Projekt"

!macro STOP_WHERE_RUNNING
    ; A program that runs cannot be opened for writing.
    ${If} ${FileExists} "$INSTDIR\${PROGRAM}"
        ClearErrors
        FileOpen $0 "$INSTDIR\${PROGRAM}" a
        ${If} ${Errors}
            MessageBox MB_ICONEXCLAMATION|MB_OK "$(RUNNING)" /SD IDOK
            SetErrorLevel 2
            Quit
        ${EndIf}
        FileClose $0
    ${EndIf}
!macroend

; Only what a setup has put there, whatever else the folder may hold.
!macro REMOVE_FILES
    Delete "$INSTDIR\fsdesk.exe"
    Delete "$INSTDIR\${PROGRAM}"
    Delete "$INSTDIR\fsdesk.ico"
    RMDir /r "$INSTDIR\_internal"
!macroend

Function .onInit
    ${IfNot} ${RunningX64}
    ${OrIfNot} ${AtLeastWin10}
        MessageBox MB_ICONSTOP|MB_OK "$(OLD)" /SD IDOK
        SetErrorLevel 2
        Quit
    ${EndIf}
    SetRegView 64
    StrCpy $R9 $INSTDIR ; of /D, which MultiUser would forget
    !insertmacro MULTIUSER_INIT
    ${If} $R9 != ""
        StrCpy $INSTDIR $R9
    ${EndIf}
FunctionEnd

Function un.onInit
    SetRegView 64
    !insertmacro MULTIUSER_UNINIT
FunctionEnd

Section "fsdesk"
    !insertmacro STOP_WHERE_RUNNING
    !insertmacro REMOVE_FILES
    SetOutPath "$INSTDIR"
    File /r "${PAYLOAD}/*"
    File "/oname=fsdesk.ico" "${ICON}"
    WriteUninstaller "$INSTDIR\uninstall.exe"

    CreateShortcut "$SMPROGRAMS\fsdesk.lnk" "$INSTDIR\${PROGRAM}" "" "$INSTDIR\fsdesk.ico"

    WriteRegStr SHCTX "Software\Classes\${TYPE}" "" "$(PROJECT)"
    WriteRegStr SHCTX "Software\Classes\${TYPE}\DefaultIcon" "" "$INSTDIR\fsdesk.ico"
    WriteRegStr SHCTX "Software\Classes\${TYPE}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
    WriteRegStr SHCTX "Software\Classes\.fsdesk" "" "${TYPE}"
    WriteRegStr SHCTX "Software\Classes\.fsdesk" "Content Type" "application/x-fsdesk"
    WriteRegStr SHCTX "Software\Classes\.fsdesk\OpenWithProgids" "${TYPE}" ""
    ; Offered for tables, without being what opens them.
    WriteRegStr SHCTX "Software\Classes\Applications\${PROGRAM}\shell\open\command" "" '"$INSTDIR\${PROGRAM}" "%1"'
    WriteRegStr SHCTX "Software\Classes\Applications\${PROGRAM}\SupportedTypes" ".csv" ""
    WriteRegStr SHCTX "Software\Classes\Applications\${PROGRAM}\SupportedTypes" ".tsv" ""
    WriteRegStr SHCTX "Software\Classes\Applications\${PROGRAM}\SupportedTypes" ".arff" ""
    WriteRegStr SHCTX "Software\Classes\Applications\${PROGRAM}\SupportedTypes" ".xlsx" ""
    ; "fsdesk" works where Windows is asked to run something.
    WriteRegStr SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\fsdesk.exe" "" "$INSTDIR\fsdesk.exe"

    WriteRegStr SHCTX "Software\fsdesk" "Folder" "$INSTDIR"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayName" "${NAME}"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayVersion" "${VERSION}"
    WriteRegStr SHCTX "${UNINSTALL}" "DisplayIcon" "$INSTDIR\fsdesk.ico"
    WriteRegStr SHCTX "${UNINSTALL}" "Publisher" "The fsdesk developers"
    WriteRegStr SHCTX "${UNINSTALL}" "URLInfoAbout" "${HOMEPAGE}"
    WriteRegStr SHCTX "${UNINSTALL}" "InstallLocation" "$INSTDIR"
    WriteRegStr SHCTX "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode'
    WriteRegStr SHCTX "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /$MultiUser.InstallMode /S'
    WriteRegDWORD SHCTX "${UNINSTALL}" "EstimatedSize" ${KILOBYTES}
    WriteRegDWORD SHCTX "${UNINSTALL}" "NoModify" 1
    WriteRegDWORD SHCTX "${UNINSTALL}" "NoRepair" 1
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd

Section "Uninstall"
    !insertmacro STOP_WHERE_RUNNING
    !insertmacro REMOVE_FILES
    Delete "$INSTDIR\uninstall.exe"
    RMDir "$INSTDIR"
    Delete "$SMPROGRAMS\fsdesk.lnk"
    DeleteRegKey SHCTX "Software\Classes\${TYPE}"
    DeleteRegValue SHCTX "Software\Classes\.fsdesk\OpenWithProgids" "${TYPE}"
    DeleteRegKey /ifempty SHCTX "Software\Classes\.fsdesk\OpenWithProgids"
    ReadRegStr $0 SHCTX "Software\Classes\.fsdesk" ""
    ${If} $0 == "${TYPE}"
        DeleteRegKey SHCTX "Software\Classes\.fsdesk"
    ${EndIf}
    DeleteRegKey SHCTX "Software\Classes\Applications\${PROGRAM}"
    DeleteRegKey SHCTX "Software\Microsoft\Windows\CurrentVersion\App Paths\fsdesk.exe"
    DeleteRegKey SHCTX "Software\fsdesk"
    DeleteRegKey SHCTX "${UNINSTALL}"
    System::Call 'shell32::SHChangeNotify(i 0x08000000, i 0, p 0, p 0)'
SectionEnd
