import { NAMES_VERB } from './name-sources.ts';
import type { Row } from './table.ts';

/** A completion script for fish. It starts no process to complete verbs, options and files. */
export function fishScript(rows: readonly Row[]): string {
  const cases = rows.map((row) => {
    const lines = row.offers.map(({ word, summary }) => `            ${fishQuoted(`${word}\t${summary}`)}`);
    const listed = lines.length === 0 ? '' : `        printf '%s\\n' \\\n${lines.join(' \\\n')}\n`;
    const source = row.source === undefined ? '' : `        echo @${row.source}\n`;
    return `    case ${fishPatterns(row)}\n${listed}${source}`;
  });
  return `# Completion of kgraphfs for fish. In ~/.config/fish/config.fish: kgraphfs completion fish | source

# What may stand at a place: words with what they are for, and @ with where others come from; fails where nothing is known of it.
function __kgraphfs_at
    switch $argv[1]
${cases.join('').replace(/^/gm, '    ').trimEnd()}
        case '*'
            return 1
    end
    return 0
end

function __kgraphfs_source -a source before current
    switch $source
        case files
            for path in (__fish_complete_path $current)
                printf '%s%s\\n' $before $path
            end
        case folders
            for path in (__fish_complete_directories $current)
                printf '%s%s\\n' $before $path
            end
        case mounts
            while read -l device point type rest
                test $type = fuse.kgraphfs; and printf '%s%b\\n' $before $point
            end </proc/mounts
        case '*'
            for name in ($__kgraphfs_program ${NAMES_VERB} $source "$current" $__kgraphfs_project 2>/dev/null)
                printf '%s%s\\n' $before $name
            end
    end
end

function __kgraphfs_complete
    set -l tokens (commandline -opc)
    set -l current (commandline -ct | string unescape)
    set -g __kgraphfs_program $tokens[1]
    set -g __kgraphfs_project
    set -l verb
    set -l flag
    set -l position 0
    set -l onlyArguments
    for word in $tokens[2..-1]
        if test -n "$flag"
            contains -- $flag --docs --state --config; and set -a __kgraphfs_project $flag $word
            set flag
        else if test -z "$onlyArguments" -a "$word" = --
            set onlyArguments 1
        else if test -z "$onlyArguments"; and string match -qr -- '^--(docs|state|config)=' $word
            set -a __kgraphfs_project $word
        else if test -z "$onlyArguments"; and string match -q -- '-*' $word
            __kgraphfs_at "value:$verb $word" >/dev/null; and set flag $word
        else if test $position -eq 0; and __kgraphfs_at "next:"(string join ' ' -- $verb $word) >/dev/null
            set verb (string join ' ' -- $verb $word)
        else
            set position (math $position + 1)
        end
    end
    set -l before
    if test -z "$flag" -a -z "$onlyArguments"; and string match -qr -- '^--[^=]+=' "$current"
        set flag (string replace -r '=.*' '' -- $current)
        set before "$flag="
        set current (string replace -r '^[^=]*=' '' -- $current)
    end
    set -l offers
    if test -n "$flag"
        set offers (__kgraphfs_at "value:$verb $flag")
    else if test -z "$onlyArguments"; and string match -q -- '-*' "$current"
        set offers (__kgraphfs_at "flags:$verb")
    else
        test $position -eq 0; and set offers (__kgraphfs_at "next:$verb")
        set -a offers (__kgraphfs_at "argument:$verb $position")
    end
    for offer in $offers
        if string match -q '@*' -- $offer
            __kgraphfs_source (string sub -s 2 -- $offer) "$before" "$current"
        else
            printf '%s%s\\n' "$before" $offer
        end
    end
end

complete -c kgraphfs -f -a '(__kgraphfs_complete)'
`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The places as patterns of fish. They are quoted: fish still takes a quoted star for a wildcard there, and would expand an unquoted one to files. */
function fishPatterns({ places }: Row): string {
  return places.map(fishQuoted).join(' ');
}
