import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { escapeUTF8 } from 'entities';
import type { FastifyRequest } from 'fastify';
import { nothingHere } from '../base/app-error.ts';
import type { Config } from '../base/config.ts';
import { CONFIG } from '../base/injection-tokens.ts';
import { isLocalRequest } from '../http/security/loopback.ts';
import { NoStore } from '../http/security/security-headers.ts';
import { listMailbox, type MailboxEntry, mailboxFolder, readMailbox } from './mailbox.ts';

const MAX_MAILS = 200;
const HTML_HEADER = ['Content-Type', 'text/html; charset=utf-8'] as const;
/** Pages of the mailbox for requests of this machine. Never part of a production server. */
@Controller('dev/mail')
@ApiExcludeController()
export class MailboxController {
  private readonly folder: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.folder = mailboxFolder(config);
  }

  @Get()
  @Header(...HTML_HEADER)
  @NoStore()
  async list(@Req() request: FastifyRequest): Promise<string> {
    assertLocalRequest(request);
    const mails = await listMailbox(this.folder, MAX_MAILS);
    if (mails.length === 0)
      return mailboxPage('Mailbox', '<p>No mails yet. They come here within a second or two.</p>');
    const rows = mails.map(
      (mail) =>
        `<tr><td><a href="/dev/mail/${mail.name}">${headerLine(mail, 'Subject')}</a></td><td>${headerLine(mail, 'To')}</td><td>${headerLine(mail, 'Date')}</td></tr>`,
    );
    return mailboxPage('Mailbox', `<table><tr><th>Subject</th><th>To</th><th>Sent</th></tr>${rows.join('')}</table>`);
  }

  @Get(':name')
  @Header(...HTML_HEADER)
  @NoStore()
  async read(@Req() request: FastifyRequest, @Param('name') name: string): Promise<string> {
    assertLocalRequest(request);
    const mail = await readMailbox(this.folder, name);
    if (!mail) throw nothingHere();
    const text = escapeUTF8(mail.text).replaceAll(/https?:\/\/[^\s&<>]+/g, (url) => `<a href="${url}">${url}</a>`);
    const head = ['From', 'To', 'Date'].map((field) => `${field}: ${headerLine(mail, field)}`).join('<br>');
    return mailboxPage(
      headerLine(mail, 'Subject'),
      `<p><a href="/dev/mail">All mails</a></p><p>${head}</p><pre>${text}</pre>`,
    );
  }
}

/** Mails give access to accounts. A site that resolves another host name to this machine must not read them. */
function assertLocalRequest(request: FastifyRequest): void {
  if (!isLocalRequest(request)) throw nothingHere();
}

function headerLine({ head }: MailboxEntry, field: string): string {
  const found = head.find((text) => text.toLowerCase().startsWith(`${field.toLowerCase()}: `));
  return escapeUTF8(found?.slice(field.length + 2) ?? '');
}

function mailboxPage(title: string, body: string): string {
  return `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}
