/** A question set: its questions, and for each what may be answered, with examples the lane learns from. */
import { Plus, Trash2 } from "lucide-react";

import { blankAnswer, blankQuestion, slug, uniqueKey, type Answer, type Problem, type Question, type QuestionKind, type QuestionSet } from "../../model";
import { CheckLine, Choice, IconButton, Line, Paragraph } from "../../ui";
import { faultsAt } from "./entryProblems";
import { splitWords } from "./parts";

const KINDS: readonly (readonly [QuestionKind, string])[] = [
  ["choice", "one of the answers"],
  ["yes_no", "yes or no"],
  ["several", "any of the answers"],
];

const others = (rows: readonly { key: string }[], own: string): string[] => rows.map((row) => row.key).filter((key) => key !== own);
const lines = (text: string): string[] => text.split("\n").map((line) => line.trim()).filter(Boolean);

function AnswerFields({ answer, taken, change, remove }: { answer: Answer; taken: string[]; change(fields: Partial<Answer>): void; remove(): void }) {
  return (
    <div className="in-answer" role="group" aria-label={`answer ${answer.key}`}>
      <div className="in-pair is-end">
        <Line label="Answer" code value={answer.key} onCommit={(text) => text.trim() && change({ key: uniqueKey(slug(text, "answer"), taken) })} />
        <IconButton size="sm" icon={Trash2} label={`Remove the answer ${answer.key}`} onClick={remove} />
      </div>
      <Line label="Means" value={answer.description} onCommit={(description) => change({ description })} />
      <Paragraph label="Examples, one a line" rows={2} value={answer.examples.join("\n")} onCommit={(text) => change({ examples: lines(text) })} />
      <Line label="Keywords, with commas" value={answer.keywords.join(", ")} onCommit={(text) => change({ keywords: splitWords(text) })} />
    </div>
  );
}

function QuestionFields({ question, taken, change, remove }: { question: Question; taken: string[]; change(fields: Partial<Question>): void; remove(): void }) {
  const { answers } = question;
  const put = (n: number, fields: Partial<Answer>): void => change({ answers: answers.map((one, at) => (at === n ? { ...one, ...fields } : one)) });
  return (
    <fieldset className="in-sub">
      <legend>Question {question.key}</legend>
      <div className="in-pair is-end">
        <Line label="Key" code value={question.key} hint={`Raises decision.${question.key}.…`} onCommit={(text) => text.trim() && change({ key: uniqueKey(slug(text, "question"), taken) })} />
        <IconButton size="sm" icon={Trash2} label={`Remove the question ${question.key}`} onClick={remove} />
      </div>
      <Line label="In words" value={question.label ?? ""} placeholder="What does the caller want?" onCommit={(text) => change({ label: text.trim() || null })} />
      <Choice label="Answered with" value={question.kind} options={KINDS} onChange={(kind) => change({ kind: kind as QuestionKind })} />
      <CheckLine label="Sees the conversation so far" value={question.context} onChange={(context) => change({ context })} />
      {answers.map((answer, n) => (
        <AnswerFields key={n} answer={answer} taken={others(answers, answer.key)} change={(fields) => put(n, fields)} remove={() => change({ answers: answers.filter((_, at) => at !== n) })} />
      ))}
      {question.kind === "yes_no" && answers.length === 0 && <p className="ui-hint">Offers “yes” and “no”.</p>}
      <button type="button" className="in-add" onClick={() => change({ answers: [...answers, blankAnswer(uniqueKey("answer", answers.map((one) => one.key)))] })}>
        <Plus size={14} aria-hidden /> Add answer
      </button>
    </fieldset>
  );
}

export function Questions({ set, change, problems, at }: { set: QuestionSet; change(fields: Partial<QuestionSet>): void; problems: Problem[]; at: string }) {
  const { questions } = set;
  const put = (n: number, fields: Partial<Question>): void => change({ questions: questions.map((one, place) => (place === n ? { ...one, ...fields } : one)) });
  return (
    <>
      <Line label="Name" value={set.label ?? ""} onCommit={(text) => change({ label: text.trim() || null })} />
      {questions.map((question, n) => (
        <div key={n}>
          <QuestionFields question={question} taken={others(questions, question.key)} change={(fields) => put(n, fields)} remove={() => change({ questions: questions.filter((_, place) => place !== n) })} />
          {faultsAt(problems, "questions", n).map((fault, line) => (
            <p key={line} className="ui-hint" data-tone={fault.tone}>{fault.text}</p>
          ))}
        </div>
      ))}
      <button type="button" className="in-add" data-field={`${at}.questions`} onClick={() => change({ questions: [...questions, blankQuestion(uniqueKey("question", questions.map((one) => one.key)))] })}>
        <Plus size={14} aria-hidden /> Add question
      </button>
    </>
  );
}
