import { t } from '@lingui/core/macro';
import { MAX_REASON_LETTERS } from '@nivida/contract/desk/act';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import * as v from 'valibot';
import { failureText, fieldErrorsOf, isConnectionError, refusalOf } from '../../../data/server/api.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogActions } from '../../../ui/Dialog.tsx';
import { ErrorText, Note } from '../../../ui/feedback/Note.tsx';
import { showToast } from '../../../ui/feedback/toast.ts';
import { FormElement } from '../../../ui/form/FormFields.tsx';
import { useForm, validateForm } from '../../../ui/form/useForm.ts';
import { sendAct } from '../data/desk-call.ts';
import { reloadDesk } from '../data/desk-query.ts';
import { PasskeyNotShownError } from '../gate/gate.ts';
import css from './ActDialog.module.css';
import { ReasonField, ReasonForm } from './ReasonField.tsx';
import { noteReason, useRecentReasons } from './recent-reasons.ts';

/** An act that takes another one back. */
export interface UndoAct {
  path: string;
  body?: object;
}

export interface ActDialogProps<S extends v.GenericSchema> {
  /** Text of the main button. */
  label: string;
  /** What the act does and to what, as a question or a sentence. */
  title: string;
  /** Address below `api/desk`, for example `orders/abc/refund`. */
  path: string;
  /** What the body has beside the reason. A version in it is read when the act is sent. */
  body?: object;
  /** The answer. */
  schema: S;
  /** What the toast says. */
  done: (answer: v.InferOutput<S>) => string;
  /** The act that takes this one back; absent where it cannot be taken back. */
  undo?: (answer: v.InferOutput<S>) => UndoAct | undefined;
  /** Called after the act, before the lists are loaded again. */
  onDone?: (answer: v.InferOutput<S>) => void;
  /** Who reads the reason, when not only the audit log keeps it. */
  reasonHint?: string;
  /** Reasons that are usual for this act. */
  usualReasons?: readonly string[];
  /** Says what follows, or has further fields, whose values the caller keeps in `body`. */
  children?: ReactNode;
  onClose: () => void;
}

/** Takes an act back, with the reason of the act. */
async function undoAct({ path, body }: UndoAct, reason: string): Promise<void> {
  try {
    const full = { ...body, reason: t`Undone: ${reason}`.slice(0, MAX_REASON_LETTERS) };
    await sendAct({ path, body: full, key: crypto.randomUUID() }, v.unknown());
    showToast({ text: t`Undone` });
  } catch (error) {
    showToast({ text: failureText(error, t`It could not be undone`) });
  } finally {
    reloadDesk();
  }
}

/**
 * Asks for the reason of an act and does it. Its key is made when the dialog opens and kept until the server has answered,
 * so that an act is done once. While it is not known whether the act was done, its values cannot change. After a conflict
 * the page shows what the other person did, and the act can be done all the same, as a new one.
 */
export function ActDialog<S extends v.GenericSchema>(props: ActDialogProps<S>) {
  const {
    label,
    title,
    path,
    body,
    schema,
    done,
    undo,
    onDone,
    reasonHint,
    usualReasons = [],
    children,
    onClose,
  } = props;
  const act = path.replaceAll(/[^/]*\d[^/]*/g, ':id');
  const recent = useRecentReasons(act);
  const form = useForm({ reason: '' });
  const { ref } = form;
  useEffect(() => ref.current?.querySelector<HTMLElement>('input, select, textarea')?.focus(), [ref]);
  const [key, setKey] = useState(() => crypto.randomUUID());
  // The body of an act whose answer was lost.
  const [sent, setSent] = useState<object>();
  const [conflict, setConflict] = useState<string>();
  // The newest state may have no such act: its button and this dialog go, and what the other person did stays as a toast.
  const unread = useRef<string>(undefined);
  useEffect(
    () => () => {
      if (unread.current !== undefined) showToast({ text: unread.current });
    },
    [],
  );
  const close = () => {
    unread.current = undefined;
    onClose();
  };

  async function send(reason: string): Promise<void> {
    const full = sent ?? { ...body, reason };
    setConflict(undefined);
    unread.current = undefined;
    try {
      const answer = await sendAct({ path, body: full, key }, schema);
      noteReason(act, reason);
      const undoing = undo?.(answer);
      showToast({
        text: done(answer),
        ...(undoing && { passing: true, action: { label: t`Undo`, run: () => void undoAct(undoing, reason) } }),
      });
      onDone?.(answer);
      onClose();
      reloadDesk();
    } catch (error) {
      const isLost = isConnectionError(error);
      setSent(isLost ? full : undefined);
      const refusal = refusalOf(error);
      if (refusal?.code === 'CONFLICT') {
        setConflict(refusal.message);
        unread.current = refusal.message;
        setKey(crypto.randomUUID());
        reloadDesk();
      }
      throw error;
    }
  }

  function onError(error: unknown): { text: string; errors?: Record<string, string> } {
    if (error instanceof PasskeyNotShownError || refusalOf(error)?.code === 'CONFLICT') return { text: '' };
    if (isConnectionError(error))
      return { text: t`No answer came. It may be done already. Ask again: it is never done twice.` };
    const errors = fieldErrorsOf(error);
    return 'reason' in errors ? { text: '', errors } : { text: failureText(error, t`This could not be done`) };
  }

  const submit = () => form.submit(validateForm(ReasonForm, form.values), ({ reason }) => send(reason), onError);
  const reasons = [...recent, ...usualReasons.filter((each) => !recent.includes(each))];
  return (
    <Dialog title={title} onClose={close} isForm>
      <FormElement form={form} onSubmit={submit}>
        <fieldset className="stack" disabled={sent !== undefined}>
          {children}
          <ReasonField form={form} hint={reasonHint} onSubmit={submit} />
        </fieldset>
        {reasons.length > 0 && sent === undefined && (
          <ul className={css.reasons} aria-label={t`Reasons to choose from`}>
            {reasons.map((reason) => (
              <li key={reason}>
                <Button onClick={() => form.change({ reason })}>{reason}</Button>
              </li>
            ))}
          </ul>
        )}
        {conflict !== undefined && (
          <Note tone="amber" icon="warning" alert>
            <p>{conflict}</p>
            <p className="s">{t`The page now shows the newest state. Do it all the same, or leave it.`}</p>
          </Note>
        )}
        <ErrorText text={form.failure} />
        <DialogActions>
          <Button onClick={close}>{conflict === undefined ? t`Cancel` : t`Leave it`}</Button>
          <Button look="main" type="submit" busy={form.isBusy}>
            {sent ? t`Ask again` : conflict === undefined ? label : t`Do it all the same`}
          </Button>
        </DialogActions>
      </FormElement>
    </Dialog>
  );
}
