import { shellWord } from '../../text/shell-word.ts';
import { NAMES_VERB } from './name-sources.ts';
import { patterns } from './shell-text.ts';
import type { Row } from './table.ts';

/** A completion script for zsh. It starts no process to complete verbs, options and files. */
export function zshScript(rows: readonly Row[]): string {
  const cases = rows.map((row) => {
    const offers = row.offers.map(({ word, summary }) =>
      shellWord(summary === '' ? word : `${word.replaceAll(':', '\\:')}:${summary}`),
    );
    return `    ${patterns(row)}) offers=(${offers.join(' ')}) source=${row.source ?? ''} ;;`;
  });
  return `#compdef kgraphfs
# Completion of kgraphfs for zsh. In ~/.zshrc, behind compinit: source <(kgraphfs completion zsh)

# What may stand at a place: sets offers and source, or fails where nothing is known of it.
_kgraphfs_at() {
  offers=() source=
  case $1 in
${cases.join('\n')}
    *) return 1 ;;
  esac
}

_kgraphfs_offer() {
  local -a names
  case $source in
    '') ;;
    files) _files ;;
    folders) _files -/ ;;
    mounts)
      local device point type rest
      while read -r device point type rest; do
        if [[ $type == fuse.kgraphfs ]]; then names+=("\${(g::)point}"); fi
      done </proc/mounts
      compadd -f -a names
      ;;
    *)
      names=(\${(f)"$($words[1] ${NAMES_VERB} $source "\${(Q)PREFIX}" $project 2>/dev/null)"})
      compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a names
      ;;
  esac
  if (( $#offers )); then _describe -V kgraphfs offers; fi
}

_kgraphfs() {
  local verb= flag= word source onlyArguments=
  local -i position=0
  local -a offers more project
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $flag ]]; then
      case $flag in (--docs|--state|--config) project+=($flag \${(Q)word/#\\~\\//$HOME/}) ;; esac
      flag=
    elif [[ -z $onlyArguments && $word == -- ]]; then
      onlyArguments=1
    elif [[ -z $onlyArguments && $word == --(docs|state|config)=* ]]; then
      project+=($word)
    elif [[ -z $onlyArguments && $word == -* ]]; then
      if _kgraphfs_at "value:$verb $word"; then flag=$word; fi
    elif (( position == 0 )) && _kgraphfs_at "next:\${verb:+$verb }$word"; then
      verb+="\${verb:+ }$word"
    else
      position+=1
    fi
  done
  if [[ -z $flag && -z $onlyArguments && $words[CURRENT] == --*=* ]]; then
    flag=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $flag ]]; then
    _kgraphfs_at "value:$verb $flag"
  elif [[ -z $onlyArguments && $words[CURRENT] == -* ]]; then
    _kgraphfs_at "flags:$verb"
  else
    if (( position == 0 )) && _kgraphfs_at "next:$verb"; then more=("\${(@)offers}"); fi
    _kgraphfs_at "argument:$verb $position"
    offers+=("\${(@)more}")
  fi
  _kgraphfs_offer
}

if [[ $funcstack[1] == _kgraphfs ]]; then _kgraphfs "$@"; else compdef _kgraphfs kgraphfs; fi
`;
}
