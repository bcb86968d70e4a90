/**
 * The scenario of several servers: they are killed in turn, restarted in turn, and lose their database, under
 * load.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { signIn, type ProductClient } from '../../support/productClient.ts';
import type { RunningServer } from '../../support/postgres.ts';
import { readiness } from './diskFull.ts';
import { judgePayments, Load, type Weather } from './load.ts';
import { startRoundRobin } from './roundRobin.ts';
import type { Chance } from './random.ts';
import type { Tally } from './tally.ts';
import { World } from './world.ts';

interface StoryParts {
	chance: Chance;
	tally: Tally;
	postgres: RunningServer;
	databaseUrl: string;
	/** Number of servers. */
	count: number;
	/** Number of kills, each of one server. */
	kills: number;
	/** Number of orderly restarts, starting after the server that was killed last. */
	rolls: number;
	/** Number of migrations during the scenario. */
	migrations: number;
	/** Milliseconds after which migrations without progress count as failed. */
	timeout: number;
}

/** Between two kills, in milliseconds. */
const KILL_EVERY_MS = 5_000;
/** Each server must be ready again within this time after its database. */
const READY_WITHIN_MS = 60_000;
/** Each server must report a block within this time. */
const TOLD_WITHIN_MS = 20_000;

/** Whether open pages at a server get the event of a block. */
async function isTold(
	client: ProductClient,
	url: string,
	mine: () => Promise<void>
): Promise<boolean> {
	const answer = await fetch(`${url}/api/events`, { headers: { cookie: client.cookie } });
	if (!answer.ok || answer.body === null) return false;
	const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
	const late = setTimeout(() => void reader.cancel(), TOLD_WITHIN_MS);
	let said = '';
	try {
		await mine();
		while (!said.includes('event: block')) {
			const { value, done } = await reader.read();
			if (done) return false;
			said += value;
		}
		return true;
	} finally {
		clearTimeout(late);
		await reader.cancel();
	}
}

/** Runs the scenario in its own world. */
export async function serversStory(parts: StoryParts): Promise<void> {
	const { chance, tally, postgres, databaseUrl, count, kills, rolls, migrations, timeout } = parts;
	const name = `the story of ${count} servers`;
	const began = performance.now();
	const world = await World.open({
		name,
		chance,
		tally,
		databaseUrl,
		replicas: count,
		env: { KOMODECK_DRAIN_SECONDS: '1' }
	});
	const balancer = await startRoundRobin(() => world.products.map(({ url }) => url));
	try {
		const weather: Weather = { noDatabase: false, killing: false };
		const client = await signIn(balancer.url);
		for (let n = 0; n < migrations; n++) await world.begin();
		const height = 5;
		const hash = await world.devnet.rpc<string>('ALPHA', 'getblockhash', height);
		const { daemons } = await world.devnet.control.state();
		const { address } = daemons.find(({ chain }) => chain === 'BETA')!;
		const { token } = client;
		const load = new Load({
			url: balancer.url,
			client,
			token,
			address,
			weather,
			tally,
			name,
			block: { height, hash }
		});
		load.begin();

		/** Advances migrations, which is expensive, and confirms payments. */
		const blocks = (): Promise<void> => (migrations > 0 ? world.round() : world.mine());
		let last = 0;
		for (let n = 0; n < kills; n++) {
			const next = pause(KILL_EVERY_MS);
			last = chance.between(0, count - 1);
			weather.killing = true;
			await world.killServer(last);
			weather.killing = false;
			await blocks();
			await next;
		}
		for (let n = 1; n <= rolls; n++) {
			await world.rollServer((last + n) % count);
			await blocks();
		}
		weather.noDatabase = true;
		tally.count('kills', 'database');
		await postgres.crash();
		for (const { url } of world.products) {
			if (!(await readiness(url, true, READY_WITHIN_MS))) {
				tally.failed(`${name}: a server is not ready again although its database is there.`);
			}
		}
		weather.noDatabase = false;
		await blocks();
		await pause(1_000);
		await load.end();

		const { right, withoutDatabase, cutOff, slowest } = load.asked;
		tally.note(
			`${name}: ${right} right answers, the slowest after ${(slowest / 1000).toFixed(1)} s, ${withoutDatabase} refusals without a database, ${cutOff} cut off with their server; ${load.payments.length} payments`
		);
		if (migrations > 0) {
			await world.carry(timeout);
			tally.found(name, await world.compare(timeout / 2));
		}
		const made = await world.devnet.rpc<{ txid: string; amount: number; category: string }[]>(
			...(['ALPHA', 'listtransactions', '*', 100_000] as const)
		);
		tally.found(name, { ...judgePayments(load.payments, made), stopped: [] });
		for (const { url } of world.products) {
			if (!(await isTold(client, url, () => world.mine()))) {
				tally.failed(`${name}: open pages at a server are not told of a block.`);
			}
		}
	} finally {
		await balancer.stop();
		await world.close();
	}
	tally.note(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
}
