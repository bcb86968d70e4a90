/**
 * `npm run faults`: kills, deceives and fills up real servers, a real devnet and real databases during
 * migrations; afterwards it compares the chains with the database. Without options it runs the short form, two
 * minutes; `--long` runs longer, `--seed N` repeats a run, `--only NAME` runs one part.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { inspect } from 'node:util';
import { build, isBuilt } from '../../../src/start/build.ts';
import { newDatabase, startServer } from '../../support/postgres.ts';
import { toolOptions } from '../../support/toolOptions.ts';
import { mountSmallDisk } from './diskFull.ts';
import { chanceOf } from './random.ts';
import {
	clockJumps,
	diskFull,
	kills,
	LONG,
	reorganizations,
	replicas,
	SHORT,
	wrongAnswers,
	type Setting
} from './scenarios.ts';
import { serversStory } from './story.ts';
import { Tally } from './tally.ts';

const values = toolOptions(
	{
		long: { type: 'boolean', default: false },
		seed: { type: 'string' },
		only: { type: 'string' }
	},
	'usage: npm run faults -- [--long] [--seed N] [--only NAME]'
);

/** The folder of Debian's package. */
const FAKETIME = ['x86_64-linux-gnu', 'aarch64-linux-gnu']
	.map((machine) => `/usr/lib/${machine}/faketime/libfaketimeMT.so.1`)
	.find((file) => existsSync(file));

const say = (line: string): void => void process.stdout.write(`${line}\n`);
const seed = values.seed === undefined ? randomBytes(4).readUInt32LE(0) : Number(values.seed);
const tally = new Tally(say);
/** Parts run in parallel: each has its own random numbers, so that none influences another. */
const setting = (part: number): Setting => ({
	chance: chanceOf(seed + part),
	tally,
	scale: values.long ? LONG : SHORT
});

async function withReplicas(part: number): Promise<void> {
	const postgres = await startServer({ safe: true });
	try {
		for (const count of values.long ? [2, 4] : [2]) {
			const url = await newDatabase(postgres.url, `faults_${count}`);
			await replicas(setting(part), count, postgres, url);
		}
	} finally {
		await postgres.stop();
	}
}

async function withStory(part: number): Promise<void> {
	const postgres = await startServer({ safe: true });
	try {
		const { chance, tally, scale } = setting(part);
		await serversStory({
			chance,
			tally,
			postgres,
			databaseUrl: await newDatabase(postgres.url, 'story'),
			...(values.long
				? { count: 4, kills: 12, rolls: 4, migrations: 2 }
				: { count: 2, kills: 1, rolls: 1, migrations: 0 }),
			timeout: scale.timeout
		});
	} finally {
		await postgres.stop();
	}
}

async function withSmallDisk(part: number): Promise<void> {
	const disk = mountSmallDisk();
	if (disk === null) {
		tally.count('left out', 'disk full: nobody may mount a disk here');
		return;
	}
	try {
		await diskFull(setting(part), disk);
	} finally {
		disk.remove();
	}
}

async function withOtherClock(part: number): Promise<void> {
	if (FAKETIME === undefined) tally.count('left out', 'clock: libfaketime is not installed');
	else await clockJumps(setting(part), FAKETIME);
}

const PARTS: readonly (readonly [name: string, play: (part: number) => Promise<void>])[] = [
	['answers', (part) => wrongAnswers(setting(part))],
	['kills', (part) => kills(setting(part))],
	['reorganizations', (part) => reorganizations(setting(part))],
	['clock', withOtherClock],
	['disk', withSmallDisk],
	['replicas', withReplicas],
	['servers', withStory]
];

/**
 * Keeps each part's index among all parts, so that a single part gets the same random numbers as in a full run.
 */
const chosen = [...PARTS.entries()].filter(
	([, [name]]) => values.only === undefined || name === values.only
);
if (chosen.length === 0 || !Number.isSafeInteger(seed)) {
	process.stderr.write(
		`--only takes one of ${PARTS.map(([name]) => name).join(', ')}; --seed takes a whole number.\n`
	);
	process.exit(2);
}
if (!isBuilt()) build();
say(`seed ${seed}`);
/** Most of the time is spent waiting for blocks and pauses, so three parts run at once. */
const waiting = [...chosen];
const work = async (): Promise<void> => {
	for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
		const [part, [name, play]] = next;
		try {
			await play(part);
		} catch (error) {
			tally.failed(`${name}: ${inspect(error)}`);
		}
	}
};
await Promise.all([work(), work(), work()]);
say(`seed ${seed}`);
process.exitCode = tally.end();
