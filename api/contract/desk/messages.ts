/** Messages at the desk. Instants are ISO 8601 UTC. Addresses and numbers are masked until an act opens them. */
import * as v from 'valibot';
import { SupportAttachment } from '../support/attachments.ts';
import { AttachmentIds, MESSAGE_SENDERS, THREAD_STATES, ThreadText } from '../support/threads.ts';
import { Reason } from './act.ts';

/** Query of `GET /api/desk/messages`. Waiting threads come oldest first, those with priority before all, others newest first; 50 on a page. */
export const DeskThreadsQuery = v.object({
  state: v.optional(v.picklist([...THREAD_STATES, 'all'], 'The state is waiting, answered, closed or all'), 'waiting'),
  /** Words of the subject, a message or a name; or a whole e-mail address, mobile number, or id of an order or account. */
  q: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'At most 100 characters')), ''),
  page: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,3}$/, 'This is not a page'), v.transform(Number)), '1'),
});
export type DeskThreadsQuery = v.InferOutput<typeof DeskThreadsQuery>;

/** A thread in the list. */
export const DeskThreadSummary = v.object({
  id: v.string(),
  subject: v.string(),
  state: v.picklist(THREAD_STATES),
  name: v.string(),
  /** Without an account: the answer goes by mail only. */
  isVisitor: v.boolean(),
  /** Waits, and its account has a plan with priority support. */
  hasPriority: v.boolean(),
  /** Time of the oldest message without an answer. */
  waitingSince: v.nullable(v.string()),
  updatedAt: v.string(),
  /** The beginning of the last message. */
  excerpt: v.string(),
  orderId: v.nullable(v.string()),
  tenderId: v.nullable(v.string()),
  /** The colleague who writes an answer now. */
  answeringBy: v.nullable(v.string()),
});
export type DeskThreadSummary = v.InferOutput<typeof DeskThreadSummary>;

export const DeskThreadsResponse = v.object({
  threads: v.array(DeskThreadSummary),
  /** Numbers of all threads by state. */
  counts: v.object({ waiting: v.number(), answered: v.number(), closed: v.number() }),
  /** Median hours to the first answer in 90 days; null while there are fewer than 10 answers. */
  answerHours: v.nullable(v.number()),
  more: v.boolean(),
});
export type DeskThreadsResponse = v.InferOutput<typeof DeskThreadsResponse>;

/** A thread with all messages: answer of `GET /api/desk/messages/{id}` and of the acts on it. */
export const DeskThread = v.object({
  ...DeskThreadSummary.entries,
  /** Sent with an answer. When it has changed since, the act is refused with CONFLICT. */
  version: v.number(),
  /** Language of the answers: 'en', 'hi'. */
  language: v.string(),
  createdAt: v.string(),
  company: v.string(),
  /** Masked: 'a***@builders.example', '******2345'; '' for none. */
  email: v.string(),
  mobile: v.string(),
  order: v.nullable(
    v.object({ id: v.string(), title: v.string(), status: v.string(), amountPaise: v.number(), createdAt: v.string() }),
  ),
  tender: v.nullable(
    v.object({ id: v.string(), title: v.string(), sourceId: v.string(), portal: v.string(), closesAt: v.string() }),
  ),
  messages: v.array(
    v.object({
      id: v.string(),
      sender: v.picklist(MESSAGE_SENDERS),
      /** Who answered; null for the user and for a command on the server. */
      staffName: v.nullable(v.string()),
      text: v.string(),
      createdAt: v.string(),
      readAt: v.nullable(v.string()),
      attachments: v.array(SupportAttachment),
    }),
  ),
});
export type DeskThread = v.InferOutput<typeof DeskThread>;

const version = v.pipe(v.number('version must be a number'), v.integer('version must be a whole number'));

/** Body of the act `POST /api/desk/messages/{id}/answer`. */
export const AnswerThreadRequest = v.object({
  reason: Reason,
  /** Made once per answer, so that an answer that is sent again is stored once. */
  messageId: v.pipe(v.string('messageId must be text'), v.uuid('messageId must be a UUID'), v.toLowerCase()),
  text: ThreadText,
  /** Uploaded by the member of staff like attachments of users. The answer to a visitor has none. */
  attachmentIds: AttachmentIds,
  version,
});
export type AnswerThreadRequest = v.InferOutput<typeof AnswerThreadRequest>;

/** Body of the acts `close` and `reopen`. */
export const ThreadStateRequest = v.object({ reason: Reason, version });
export type ThreadStateRequest = v.InferOutput<typeof ThreadStateRequest>;

/** Body of `POST /api/desk/messages/{id}/answering`, repeated every minute while an answer is written. */
export const AnsweringRequest = v.object({ isAnswering: v.boolean('isAnswering must be true or false') });
export type AnsweringRequest = v.InferOutput<typeof AnsweringRequest>;

/** The colleague who writes an answer already; null when it is the caller, or no one. */
export const AnsweringResponse = v.object({ answeringBy: v.nullable(v.string()) });
export type AnsweringResponse = v.InferOutput<typeof AnsweringResponse>;

/** Answer of the act `POST /api/desk/messages/{id}/contact`: the whole address and number; '' for none. */
export const ThreadContactResponse = v.object({ email: v.string(), mobile: v.string() });
export type ThreadContactResponse = v.InferOutput<typeof ThreadContactResponse>;
