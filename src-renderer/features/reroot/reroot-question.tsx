/** The question part of the dialog: what is moved (this project or a prefix), and where it is now. */
import type { RerootQuestion as Question, RerootSubject } from '@shared/ipc/models/change-models'
import { FolderSearch } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../ui/button'
import { ChoiceCard } from '../../ui/choices'
import { countOf } from '../../ui/format'
import type { RerootStore } from './reroot-store'
import { evidenceWord, ownChoice, whereQuestion } from './reroot-words'

function isChosen(subject: RerootSubject, prefix: string | null): boolean {
  return prefix === null ? subject.kind !== 'prefix' : subject.kind === 'prefix' && subject.prefix === prefix
}

/** `This project only`, or everything below a folder above it. */
function ScopeChoice({
  store,
  question,
  locked,
}: {
  store: RerootStore
  question: Question
  locked: boolean
}) {
  const opened = useStore(store, state => state.opened)
  const subject = useStore(store, state => state.subject)
  // A prefix question may list fewer: the choices of the first question stay.
  const [prefixes] = useState(question.prefixes)
  const [ownCount] = useState(opened === subject ? question.sessions : null)
  if (prefixes.length === 0 || opened.kind === 'prefix') return null
  const pick = (next: RerootSubject) => void store.getState().ask(next)
  return (
    <fieldset className="choice-set" disabled={locked}>
      <legend className="choice-legend">What moved?</legend>
      <label className="choice choice-line">
        <input
          type="radio"
          name="reroot-scope"
          checked={isChosen(subject, null)}
          onChange={() => pick(opened)}
        />
        {ownChoice(opened, ownCount)}
      </label>
      {prefixes.map(({ prefix, projects, sessions }) => (
        <label key={prefix} className="choice choice-line">
          <input
            type="radio"
            name="reroot-scope"
            checked={isChosen(subject, prefix)}
            onChange={() => pick({ kind: 'prefix', prefix })}
          />
          <span>
            Everything below <span className="u-mono">{prefix}</span>: {countOf(projects, 'project')},{' '}
            {countOf(sessions, 'session')}
          </span>
        </label>
      ))}
    </fieldset>
  )
}

export function RerootQuestion({
  store,
  question,
  locked,
}: {
  store: RerootStore
  question: Question
  locked: boolean
}) {
  const to = useStore(store, state => state.to)
  const chosen = useStore(store, state => state.chosen)
  return (
    <>
      <ScopeChoice store={store} question={question} locked={locked} />
      <fieldset className="choice-set" disabled={locked}>
        <legend className="choice-legend">{whereQuestion(question)}</legend>
        {question.candidates.map(candidate => (
          <ChoiceCard
            key={candidate.path}
            name="reroot-to"
            path
            title={candidate.path}
            text={candidate.text}
            badge={evidenceWord(candidate.evidence)}
            checked={to === candidate.path}
            onChoose={() => void store.getState().choose(candidate.path)}
          />
        ))}
        {chosen.map(path => (
          <ChoiceCard
            key={path}
            name="reroot-to"
            path
            title={path}
            text="You chose this folder."
            checked={to === path}
            onChoose={() => void store.getState().choose(path)}
          />
        ))}
        <div className="choice choice-card choice-other">
          <span className="u-grow">
            {question.candidates.length + chosen.length > 0 ? 'Another folder' : 'Choose the folder'}
          </span>
          <Button onClick={() => void store.getState().chooseFolder()}>
            <FolderSearch aria-hidden />
            Choose folder…
          </Button>
        </div>
      </fieldset>
    </>
  )
}
