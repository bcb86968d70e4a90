/** The faults during migrations. Each scenario has its own world. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MigrationState } from '#lib/server/cross-chain/migration/states.ts';
import type { RunningServer } from '../../support/postgres.ts';
import { readiness, type SmallDisk } from './diskFull.ts';
import type { Chance } from './random.ts';
import type { Tally } from './tally.ts';
import { World, type WorldOptions } from './world.ts';
import {
	COMBINATIONS,
	METHODS,
	titleOf,
	type Combination,
	type FaultyMethod
} from './wrongAnswers.ts';

export interface Scale {
	/** Number of migrations in a scenario with random kills. */
	migrations: number;
	/** Milliseconds after which migrations without progress count as failed. */
	timeout: number;
	/** Number of times that each wrong response occurs. */
	rounds: number;
	/** Sizes of the wall clock's jumps. */
	jumps: readonly string[];
}

export const SHORT: Scale = { migrations: 3, timeout: 150_000, rounds: 1, jumps: ['-1h'] };
export const LONG: Scale = {
	migrations: 24,
	timeout: 300_000,
	rounds: 3,
	jumps: ['-1h', '+3h']
};

export interface Setting {
	chance: Chance;
	tally: Tally;
	scale: Scale;
}

const optionsOf = ({ chance, tally }: Setting, name: string): WorldOptions => ({
	name,
	chance,
	tally
});

/** Opens a world, runs a scenario in it, and compares at the end. */
async function inWorld(
	{ tally, scale }: Setting,
	options: WorldOptions,
	play: (world: World) => Promise<void>
): Promise<void> {
	const began = Date.now();
	const world = await World.open(options);
	try {
		await play(world);
		tally.found(options.name, await world.compare(scale.timeout / 2));
	} finally {
		await world.close();
	}
	tally.note(`${options.name}: ${((Date.now() - began) / 1000).toFixed(1)} s`);
}

/**
 * Each method responds wrongly once in each way, before and after it acted; a transaction meets one fault per
 * method.
 */
export async function wrongAnswers(setting: Setting): Promise<void> {
	const { chance, tally, scale } = setting;
	const all = Array.from({ length: scale.rounds }, () => COMBINATIONS).flat();
	const waiting = new Map<FaultyMethod, Combination[]>(
		METHODS.map((method) => [method, chance.shuffled(all.filter((one) => one.method === method))])
	);
	const met = new Set<string>();
	const nextFault = (method: FaultyMethod, subject: string): Combination | null => {
		const key = `${method} ${subject}`;
		if (met.has(key)) return null;
		met.add(key);
		const fault = waiting.get(method)?.shift() ?? null;
		if (fault) tally.count('faults', titleOf(fault));
		return fault;
	};
	const migrations = all.length / METHODS.length;
	await inWorld(setting, { ...optionsOf(setting, 'wrong answers'), nextFault }, async (world) => {
		let left = migrations;
		const begin = async (): Promise<void> => {
			while (left-- > 0) {
				await world.begin();
				await world.mine();
			}
		};
		// Like several members at once, who must not get the same outputs.
		await Promise.all([begin(), begin(), begin()]);
		await world.carry(scale.timeout);
		const unasked = [...waiting.values()].reduce((sum, { length }) => sum + length, 0);
		if (unasked > 0) tally.failed(`${unasked} wrong answers were never asked for.`);
	});
}

/** Kills server and devnet at random moments. */
export async function kills(setting: Setting): Promise<void> {
	const { chance, scale } = setting;
	await inWorld(setting, optionsOf(setting, 'kills'), async (world) => {
		for (let n = 0; n < scale.migrations; n++) {
			await world.begin();
			if (chance.next() < 0.5) await world.killServer(0);
		}
		let left = 2 * scale.migrations;
		await world.carry(scale.timeout, async () => {
			if (left === 0 || chance.next() < 0.4) return;
			left -= 1;
			await pause(chance.between(0, 1_500));
			if (chance.next() < 0.75) await world.killServer(0);
			else await world.killDevnet();
		});
	});
}

/** The chain whose blocks a state depends on. */
const REORGANIZED: readonly { state: MigrationState; chain: 'source' | 'destination' | 'KMD' }[] = [
	{ state: 'burn-confirmed', chain: 'source' },
	{ state: 'waiting-back-notarization', chain: 'source' },
	{ state: 'import-built', chain: 'KMD' },
	{ state: 'waiting-target-notarization', chain: 'KMD' },
	{ state: 'ready-to-import', chain: 'destination' },
	{ state: 'import-pending', chain: 'destination' },
	{ state: 'done', chain: 'destination' }
];

/** Reorganizes blocks in each state that a migration reaches. */
export async function reorganizations(setting: Setting): Promise<void> {
	const { chance, tally, scale } = setting;
	await inWorld(setting, optionsOf(setting, 'reorganizations'), async (world) => {
		const met = new Map<string, number>();
		for (let n = 0; n < scale.migrations; n++) await world.begin();
		const takeBack = async (): Promise<void> => {
			for (const row of await world.rows()) {
				const one = REORGANIZED.find(({ state }) => state === row.state);
				if (one === undefined) continue;
				const key = `${row.id} ${row.state}`;
				if (met.has(key) || (met.get(row.state) ?? 0) >= scale.rounds * 2) continue;
				met.set(key, 1).set(row.state, (met.get(row.state) ?? 0) + 1);
				const chain = one.chain === 'KMD' ? 'KMD' : row[one.chain];
				// Transactions of removed blocks are in the new blocks, in the mempool, or lost. KMD's
				// notarizations are never lost: the wallets of 64 notaries send them again, and a chain without
				// them could never prove anything.
				const [empty, lost] = [chance.next() < 0.7, chance.next() < 0.4];
				const lose = lost && chain !== 'KMD';
				await world.devnet.control.reorg(chain, chance.between(1, 3), empty || lose, lose);
				tally.count('faults', `reorganization in the state ${row.state}`);
			}
		};
		await world.carry(scale.timeout, takeBack);
		// Also reorganizes blocks of migrations that arrived in the last round.
		await takeBack();
		await world.carry(scale.timeout, takeBack);
	});
}

/** The wall clock of the server jumps; needs libfaketime. */
export async function clockJumps(setting: Setting, library: string): Promise<void> {
	const { tally, scale } = setting;
	for (const jump of scale.jumps) {
		const options = optionsOf(setting, `clock ${jump}`);
		await inWorld(setting, options, async (world) => {
			const file = join(world.folder, 'clock');
			writeFileSync(file, '+0');
			options.env = {
				LD_PRELOAD: library,
				FAKETIME_TIMESTAMP_FILE: file,
				FAKETIME_NO_CACHE: '1',
				FAKETIME_DONT_FAKE_MONOTONIC: '1'
			};
			await world.killServer(0);
			await world.begin();
			writeFileSync(file, jump);
			tally.count('faults', `wall clock ${jump}`);
			// A server that is started with the other clock reads times that the first one wrote.
			await world.begin();
			await world.carry(scale.timeout / 2);
			await world.killServer(0);
			await world.carry(scale.timeout);
		});
	}
}

/** Several servers over PostgreSQL, killed at random, and the database itself. */
export async function replicas(
	setting: Setting,
	count: number,
	postgres: RunningServer,
	databaseUrl: string
): Promise<void> {
	const { chance, tally, scale } = setting;
	const options = { ...optionsOf(setting, `${count} replicas`), replicas: count, databaseUrl };
	await inWorld(setting, options, async (world) => {
		for (let n = 0; n < scale.migrations; n++) await world.begin();
		let left = 2 * scale.migrations;
		await world.carry(scale.timeout, async () => {
			if (left === 0 || chance.next() < 0.4) return;
			left -= 1;
			await pause(chance.between(0, 1_000));
			if (chance.next() < 0.75) await world.killServer(chance.between(0, count - 1));
			else {
				tally.count('kills', 'database');
				await postgres.crash();
			}
		});
	});
}

/** The disk of the database is full for a while. */
export async function diskFull(setting: Setting, disk: SmallDisk): Promise<void> {
	const { tally, scale } = setting;
	const options = { ...optionsOf(setting, 'disk full'), folder: disk.folder };
	await inWorld(setting, options, async (world) => {
		await world.begin();
		await world.begin();
		disk.fill();
		tally.count('faults', 'disk full');
		const { url } = world.products[0]!;
		for (let n = 0; n < 8; n++) {
			await world.round();
			await pause(500);
		}
		// A file that has grown before still has room inside: the server need not refuse writes, but it must be
		// alive.
		if (!world.products[0]!.isRunning()) tally.failed('The server ended when its disk was full.');
		disk.free();
		if (!(await readiness(url, true, scale.timeout / 2))) {
			tally.failed('The server is not ready again although its disk has room.');
		}
		await world.carry(scale.timeout);
	});
}
