/** The operator's command for messages of the contact form. */
import { parseArgs } from 'node:util';
import { formatDateTime } from '@nivida/contract/format';
import type { DataSource } from 'typeorm';
import { InvalidOptionsError } from '../../base/config.ts';
import { ContactMessageEntity } from '../../contact/contact-message.entity.ts';

const MAX_MESSAGES = 100;
// Messages are untrusted: characters that move the cursor or hide text in a terminal are not printed.
const UNSAFE_TERMINAL_CHARACTERS = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Runs `messages ARGS`: the newest 100 messages, newest first. Returns the text for stdout. Throws InvalidOptionsError. */
export async function runMessages(args: string[], { dataSource }: { dataSource: DataSource }): Promise<string> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  });
  if (positionals.join(' ') !== 'list') throw new InvalidOptionsError('messages: list');
  const found = await dataSource
    .getRepository(ContactMessageEntity)
    .find({ order: { receivedAt: 'DESC', id: 'ASC' }, take: MAX_MESSAGES });
  if (values.json) return `${JSON.stringify(found)}\n`;
  return `${[...found.map(messageText), `${found.length} messages`].join('\n')}\n`;
}

function messageText({ receivedAt, name, email, phone, company, subject, message }: ContactMessageEntity): string {
  const from = [name, email, phone && `+91 ${phone}`, company].filter(Boolean).join(', ');
  const indented = message.replaceAll(/^/gm, '  ');
  return `${formatDateTime(receivedAt)}\t${from}\n${subject}\n${indented}\n`.replace(UNSAFE_TERMINAL_CHARACTERS, ' ');
}
