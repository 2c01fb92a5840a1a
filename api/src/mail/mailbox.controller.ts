import { Controller, Get, Header, Inject, Param, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { escapeUTF8 } from 'entities';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { AppError } from '../http/app-error.ts';
import { isFromHere } from '../http/loopback.ts';
import { CONFIG } from '../http/tokens.ts';
import { listMailbox, type MailboxEntry, mailboxFolder, readMailbox } from './mailbox.ts';

const MOST = 200;
const HTML = ['Content-Type', 'text/html; charset=utf-8'] as const;
const PRIVATE = ['Cache-Control', 'no-store'] as const;

/** The mailbox as pages, for whoever sits at this machine. Never part of a production server. */
@Controller('dev/mail')
@ApiExcludeController()
export class MailboxController {
  private readonly folder: string;

  constructor(@Inject(CONFIG) config: Config) {
    this.folder = mailboxFolder(config);
  }

  @Get()
  @Header(...HTML)
  @Header(...PRIVATE)
  async list(@Req() request: FastifyRequest): Promise<string> {
    refuseStrangers(request);
    const mails = await listMailbox(this.folder, MOST);
    if (mails.length === 0) return page('Mailbox', '<p>No mails yet. They come here within a second or two.</p>');
    const rows = mails.map(
      (mail) =>
        `<tr><td><a href="/dev/mail/${mail.name}">${line(mail, 'Subject')}</a></td><td>${line(mail, 'To')}</td><td>${line(mail, 'Date')}</td></tr>`,
    );
    return page('Mailbox', `<table><tr><th>Subject</th><th>To</th><th>Sent</th></tr>${rows.join('')}</table>`);
  }

  @Get(':name')
  @Header(...HTML)
  @Header(...PRIVATE)
  async read(@Req() request: FastifyRequest, @Param('name') name: string): Promise<string> {
    refuseStrangers(request);
    const mail = await readMailbox(this.folder, name);
    if (!mail) throw nothingHere();
    const text = escapeUTF8(mail.text).replaceAll(/https?:\/\/[^\s&<>]+/g, (url) => `<a href="${url}">${url}</a>`);
    const head = ['From', 'To', 'Date'].map((field) => `${field}: ${line(mail, field)}`).join('<br>');
    return page(line(mail, 'Subject'), `<p><a href="/dev/mail">All mails</a></p><p>${head}</p><pre>${text}</pre>`);
  }
}

const nothingHere = () => new AppError('NOT_FOUND', 'There is nothing at this address');

/** Mails open accounts: they are for a browser of this machine alone, not for a site that lures it here by another name. */
function refuseStrangers(request: FastifyRequest): void {
  if (!isFromHere(request)) throw nothingHere();
}

function line({ head }: MailboxEntry, field: string): string {
  const found = head.find((text) => text.toLowerCase().startsWith(`${field.toLowerCase()}: `));
  return escapeUTF8(found?.slice(field.length + 2) ?? '');
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en-IN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title></head><body><h1>${title}</h1>${body}</body></html>`;
}
