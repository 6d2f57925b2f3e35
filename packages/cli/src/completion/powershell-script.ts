/**
 * The completion script for PowerShell. It evaluates no words of the line, and quotes suggestions that PowerShell would
 * interpret.
 */
export const powershellScript = `# PowerShell completion for runward
Register-ArgumentCompleter -Native -CommandName runward -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @()
    $current = ''
    foreach ($element in $commandAst.CommandElements | Select-Object -Skip 1) {
        $extent = $element.Extent
        if ($extent.StartOffset -ge $cursorPosition) { break }
        if ($extent.EndOffset -ge $cursorPosition) {
            $current = $extent.Text.Substring(0, $cursorPosition - $extent.StartOffset).TrimStart('"', "'")
        } elseif ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) {
            $words += $element.Value
        } else {
            $words += $extent.Text
        }
    }
    # Windows PowerShell, and PowerShell before 7.3, leave out empty arguments.
    $leavesOut = $PSVersionTable.PSVersion -lt [version]'7.3' -or $PSNativeCommandArgumentPassing -eq 'Legacy'
    if ($current -eq '' -and $leavesOut) { $current = '""' }

    $encoding = [Console]::OutputEncoding
    $shell = $env:RUNWARD_COMPLETION
    try {
        [Console]::OutputEncoding = [System.Text.UTF8Encoding]::new()
        $env:RUNWARD_COMPLETION = 'powershell'
        $lines = @(& runward complete '--' @words $current 2>$null)
    } finally {
        [Console]::OutputEncoding = $encoding
        $env:RUNWARD_COMPLETION = $shell
    }
    # Without any result, PowerShell completes files.
    if ($lines.Count -eq 1 -and $lines[0] -eq ':4') { return '' }
    foreach ($line in $lines) {
        if ($line.StartsWith(':')) { continue }
        $value, $description = $line -split "\`t", 2
        if (-not $description) { $description = $value }
        $text = $value
        if ($value -notmatch '^[A-Za-z0-9_./=+-]+$') {
            $text = "'" + [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value) + "'"
        }
        [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $description)
    }
}
`;
