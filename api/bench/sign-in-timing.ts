/**
 * `sign-in-timing`: the response time for a wrong password compared with that for a number without an account, so that the
 * time does not reveal accounts. About a minute on two cores.
 */
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';
import { hash } from '@node-rs/argon2';
import type { DataSource } from 'typeorm';
import { UserEntity } from '../src/auth/user.entity.ts';
import { BenchmarkMetrics, log, median } from './measure/metrics.ts';
import { serve, startServer } from './measure/servers.ts';
import { inWorkspace, type Workspace } from './measure/workspace.ts';

const MOBILE_NUMBERS = 200;
/** Fewer attempts than the limit for a number. */
const GUESSES_PER_NUMBER = 3;
const WARM_UP = 20;
const FIRST_KNOWN_NUMBER = 9_000_000_000;
const FIRST_UNKNOWN_NUMBER = 8_000_000_000;

async function run(workspace: Workspace): Promise<void> {
  const figures = new BenchmarkMetrics('sign-in-timing');
  const database = await workspace.createDatabase('accounts');
  log(`making ${MOBILE_NUMBERS + WARM_UP} accounts`);
  await fillAccounts(database.dataSource);
  const origin = await startServer(workspace, import.meta.filename, 'product', database.address);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  log('guessing passwords');
  for (let nth = MOBILE_NUMBERS; nth < MOBILE_NUMBERS + WARM_UP; nth += 1) await timeBothGuesses(origin, agent, nth);
  const known: number[] = [];
  const unknown: number[] = [];
  for (let guess = 0; guess < GUESSES_PER_NUMBER; guess += 1)
    for (let nth = 0; nth < MOBILE_NUMBERS; nth += 1) {
      // Both are tried first equally often, so that other load affects both.
      const times = await timeBothGuesses(origin, agent, nth, (guess + nth) % 2 === 0);
      known.push(times.known);
      unknown.push(times.unknown);
    }
  agent.destroy();
  figures.record('wrong_password_p50_ms', median(known));
  figures.record('unknown_number_p50_ms', median(unknown));
  const [low, high] = [median(known), median(unknown)].toSorted((a, b) => a - b) as [number, number];
  figures.check('p50_ratio', high / low, 'most', 1.1);
  figures.finish();
  await database.dataSource.destroy();
}

async function fillAccounts(dataSource: DataSource): Promise<void> {
  const passwordHash = await hash('quiet-river-72-stones');
  const accounts = Array.from({ length: MOBILE_NUMBERS + WARM_UP }, (_, nth) => ({
    id: randomUUID(),
    username: 'Asha Verma',
    email: `asha${nth}@builders.example`,
    mobileNo: `+91${FIRST_KNOWN_NUMBER + nth}`,
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

/** Milliseconds of a wrong password for the account and for the unknown number of this index. */
async function timeBothGuesses(origin: string, agent: Agent, nth: number, isKnownFirst = true) {
  const atKnown = () => timeGuess(origin, agent, FIRST_KNOWN_NUMBER + nth);
  const atUnknown = () => timeGuess(origin, agent, FIRST_UNKNOWN_NUMBER + nth);
  if (isKnownFirst) return { known: await atKnown(), unknown: await atUnknown() };
  const unknown = await atUnknown();
  return { known: await atKnown(), unknown };
}

function timeGuess(origin: string, agent: Agent, mobileNo: number): Promise<number> {
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
