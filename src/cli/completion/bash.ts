import { shellWord } from '../../text/shell-word.ts';
import { NAMES_VERB } from './name-sources.ts';
import { patterns } from './shell-text.ts';
import type { Row } from './table.ts';

/** A completion script for bash 4 and later. It starts no process to complete verbs, options and files. */
export function bashScript(rows: readonly Row[]): string {
  const cases = rows.map((row) => {
    const words = row.offers.map(({ word }) => shellWord(word)).join(' ');
    return `    ${patterns(row)}) words=(${words}) source=${row.source ?? ''} ;;`;
  });
  return `# Completion of kgraphfs for bash. In ~/.bashrc: source <(kgraphfs completion bash)

# What may stand at a place: sets words and source, or fails where nothing is known of it.
_kgraphfs_at() {
  words=() source=
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}

_kgraphfs_names() {
  local name open=\${current:0:1} typed=$current
  case $open in
    \\' | '"') typed=\${typed:1} ;;
    *) open= typed=\${typed//\\\\/} ;;
  esac
  while IFS= read -r name; do
    if [[ $open ]]; then COMPREPLY+=("$name"); else COMPREPLY+=("$(printf %q "$name")"); fi
  done < <("$1" ${NAMES_VERB} "$source" "$typed" "\${project[@]}" 2>/dev/null)
}

_kgraphfs_offer() {
  local type point rest
  case $source in
    '') ;;
    files | folders)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -"$([[ $source == files ]] && echo f || echo d)" -- "$current")
      ;;
    mounts)
      compopt -o filenames 2>/dev/null
      while read -r _ point type rest; do
        printf -v point %b "$point"
        if [[ $type == fuse.kgraphfs && $point == "\${current/#\\~\\//$HOME/}"* ]]; then COMPREPLY+=("$point"); fi
      done </proc/mounts
      ;;
    *) _kgraphfs_names "$1" ;;
  esac
  for type in "\${words[@]}"; do
    if [[ $type == "$current"* ]]; then COMPREPLY+=("$type"); fi
  done
}

_kgraphfs() {
  local current=\${COMP_WORDS[COMP_CWORD]} program=\${1/#\\~\\//$HOME/} verb= flag= position=0 onlyArguments= i word source
  local words=() project=() more=()
  COMPREPLY=()
  if [[ $current == = ]]; then current=; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $flag ]]; then
      # bash takes --docs=DIR for three words.
      if [[ $word == = ]]; then continue; fi
      case $flag in --docs | --state | --config) project+=("$flag" "\${word/#\\~\\//$HOME/}") ;; esac
      flag=
    elif [[ ! $onlyArguments && $word == -- ]]; then
      onlyArguments=1
    elif [[ ! $onlyArguments && $word == -* ]]; then
      if _kgraphfs_at "value:$verb $word"; then flag=$word; fi
    elif ((position == 0)) && _kgraphfs_at "next:\${verb:+$verb }$word"; then
      verb+=\${verb:+ }$word
    else
      position=$((position + 1))
    fi
  done
  if [[ $flag ]]; then
    _kgraphfs_at "value:$verb $flag"
  elif [[ ! $onlyArguments && $current == -* ]]; then
    _kgraphfs_at "flags:$verb"
  else
    if ((position == 0)) && _kgraphfs_at "next:$verb"; then more=("\${words[@]}"); fi
    _kgraphfs_at "argument:$verb $position"
    words+=("\${more[@]}")
  fi
  _kgraphfs_offer "$program"
}

complete -F _kgraphfs kgraphfs
`;
}
