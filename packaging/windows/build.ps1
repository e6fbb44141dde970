# Builds and tries the Windows setup on a Windows machine with Python 3.11 (64 bit), git and NSIS 3:
#   powershell -ExecutionPolicy Bypass -File packaging\windows\build.ps1
# The compiled core needs Visual Studio's build tools with clang-cl. No one has run this yet: see packaging\README.md.
$ErrorActionPreference = "Stop"
Set-StrictMode -Version Latest
Set-Location (Join-Path $PSScriptRoot "..\..")

function Invoke-Step([string] $Title, [scriptblock] $Step) {
    Write-Host "-- $Title"
    & $Step
    if ($LASTEXITCODE -ne 0) { throw "$Title ended with exit code $LASTEXITCODE." }
}

Invoke-Step "build" { py -3.11 packaging\build.py windows }

$setup = Get-ChildItem dist\fsdesk-*-setup.exe | Select-Object -First 1
$folder = Join-Path $env:TEMP "fsdesk proof äö"
Invoke-Step "install" {
    $done = Start-Process $setup.FullName -ArgumentList "/S", "/CurrentUser", "/D=$folder" -Wait -PassThru
    $global:LASTEXITCODE = $done.ExitCode
}
Invoke-Step "version" { & "$folder\fsdesk.exe" --version }
Invoke-Step "smoke test" { & "$folder\fsdesk.exe" --smoke }
Invoke-Step "uninstall" {
    $done = Start-Process "$folder\uninstall.exe" -ArgumentList "/S", "/CurrentUser", "_?=$folder" -Wait -PassThru
    $global:LASTEXITCODE = $done.ExitCode
}
if (Test-Path "$folder\_internal") { throw "The uninstaller left files in $folder." }
Write-Host "PROVED $($setup.Name) installs, runs a real job, and uninstalls"
