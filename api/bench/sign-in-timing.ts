/**
 * `sign-in-timing`: how long the answer to a wrong password takes against that to a number without an account, so that
 * the time does not tell who has one. About a minute on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { hash } from '@node-rs/argon2';
import type { DataSource } from 'typeorm';
import { UserEntity } from '../src/users/user.entity.ts';
import { Figures, median, say } from './measure/figures.ts';
import { serve, startServer } from './measure/servers.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const NUMBERS = 200;
/** Fewer than the guesses after which a number has to wait. */
const GUESSES = 3;
const WARM_UP = 20;
const KNOWN_FROM = 9_000_000_000;
const UNKNOWN_FROM = 8_000_000_000;

async function run(workspace: Workspace): Promise<void> {
  const figures = new Figures('sign-in-timing');
  const database = await workspace.createDatabase('accounts');
  say(`making ${NUMBERS + WARM_UP} accounts`);
  await fillAccounts(database.dataSource);
  const origin = await startServer(workspace, import.meta.filename, 'product', database.address);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  say('guessing passwords');
  for (let nth = NUMBERS; nth < NUMBERS + WARM_UP; nth += 1) await guessAtBoth(origin, agent, nth);
  const known: number[] = [];
  const unknown: number[] = [];
  for (let guess = 0; guess < GUESSES; guess += 1)
    for (let nth = 0; nth < NUMBERS; nth += 1) {
      // In turns, each as often first: what else the machine does falls on both.
      const times = await guessAtBoth(origin, agent, nth, (guess + nth) % 2 === 0);
      known.push(times.known);
      unknown.push(times.unknown);
    }
  agent.destroy();
  figures.note('wrong_password_p50_ms', median(known));
  figures.note('unknown_number_p50_ms', median(unknown));
  const [low, high] = [median(known), median(unknown)].toSorted((a, b) => a - b) as [number, number];
  figures.check('p50_ratio', high / low, 'most', 1.1);
  figures.finish();
  await database.dataSource.destroy();
}

async function fillAccounts(dataSource: DataSource): Promise<void> {
  const passwordHash = await hash('quiet-river-72-stones');
  const accounts = Array.from({ length: NUMBERS + WARM_UP }, (_, nth) => ({
    id: randomUUID(),
    username: 'Asha Verma',
    email: `asha${nth}@builders.example`,
    mobileNo: `+91${KNOWN_FROM + nth}`,
    passwordHash,
    companyName: 'Verma Builders',
    companyType: 'private' as const,
    state: 'Himachal Pradesh',
    districts: ['Shimla'],
    departments: ['PWD'],
    createdAt: new Date(),
  }));
  await dataSource.getRepository(UserEntity).insert(accounts);
}

/** Milliseconds of a wrong password for the account and for the unknown number with this index. */
async function guessAtBoth(origin: string, agent: Agent, nth: number, isKnownFirst = true) {
  const atKnown = () => timeOf(origin, agent, KNOWN_FROM + nth);
  const atUnknown = () => timeOf(origin, agent, UNKNOWN_FROM + nth);
  if (isKnownFirst) return { known: await atKnown(), unknown: await atUnknown() };
  const unknown = await atUnknown();
  return { known: await atKnown(), unknown };
}

function timeOf(origin: string, agent: Agent, mobileNo: number): Promise<number> {
  const body = JSON.stringify({ mobileNo: String(mobileNo), password: 'wrong-password' });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const started = performance.now();
  return new Promise((done, fail) => {
    const sent = request(`${origin}/api/auth/login`, { method: 'POST', agent, headers }, (answer) => {
      answer.resume();
      answer.on('error', fail);
      answer.on('end', () => {
        const time = performance.now() - started;
        try {
          assert.equal(answer.statusCode, 401);
          done(time);
        } catch (error) {
          fail(error as Error);
        }
      });
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

const [kind, address] = process.send ? process.argv.slice(2) : [];
if (kind && address) await serve(kind, JSON.parse(address));
else await inWorkspace(run);
