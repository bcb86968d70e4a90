/**
 * A migration with incomplete daemon responses: each member of each response that a migration gets is removed
 * once, on every chain. The migration arrives all the same, or reports the missing member and burns nothing
 * twice. Where the decoded response is unchanged, later behavior cannot differ, and no migration is run.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { checks } from '#lib/messages/migration/checks.ts';
import { reasons } from '#lib/messages/migration/reasons.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Migrations } from '#lib/server/cross-chain/migration/createMigrations.ts';
import {
	addressOn,
	burnsOf,
	carry,
	draftBurn,
	gatewayTo,
	migrationsOver,
	placesOf
} from '../integration/migration/support.ts';
import { between, type Between } from '../integration/transactions/support.ts';
import { describeOnSqlite } from '../support/database.ts';
import { startDevnet, type Devnet } from '../support/devnet.ts';
import { effectOf, membersOf, without } from './members.ts';

/** Rounds of the network until a whole migration has arrived. */
const LOOKS = 8;
const CHAINS = ['ALPHA', 'BETA', 'KMD'];

/** Consequence of a missing member, as a pattern of its message. */
const MEANS: Readonly<Record<string, RegExp>> = {
	CCid: /it has no CCid of 100 or higher/,
	pubkey: /has no pubkey set/,
	// Without a release the daemon is treated as one of the interface document, which has other parameters.
	KMDversion: /is not a string as expected/
};

describeOnSqlite('a migration whose daemons leave something out', (database) => {
	let net: Devnet;
	let gateway: Gateway;
	let migrations: Migrations;
	let proxies: Between[];
	let to: string;
	/** The results that a whole migration gets, as raw text, by method. */
	const given = new Map<string, Set<string>>();

	beforeAll(async () => {
		net = await startDevnet();
		proxies = await Promise.all(CHAINS.map((chain) => between(net, chain)));
		const urls = Object.fromEntries(CHAINS.map((chain, at) => [chain, proxies[at]!.url]));
		gateway = gatewayTo(placesOf(net, urls));
		migrations = migrationsOver(database.db, gateway);
		to = await addressOn(net, 'BETA');
	});
	afterAll(async () => {
		await gateway.close();
		await Promise.all(proxies.map((proxy) => proxy.stop()));
		await net.stop();
	});

	function answering(change: (method: string, result: JsonValue) => JsonValue): void {
		for (const proxy of proxies) {
			proxy.rewrite = (method, body) => {
				const envelope = parseJson(body);
				if (!isJsonObject(envelope)) return body;
				return stringifyJson({ ...envelope, result: change(method, envelope['result'] ?? null) });
			};
		}
	}

	/** All messages about a migration from its form to its end; null when it arrived. */
	async function toldOf(
		says?: (words: string) => boolean
	): Promise<{ told: string | null; burns: number }> {
		const before = (await burnsOf(net, 'ALPHA')).length;
		const drafted = await draftBurn(migrations, { address: to, amount: '1.15' });
		let told: string | null =
			drafted.kind === 'refused'
				? drafted.checks
						.filter(({ result }) => result === 'fail')
						.map(({ message }) => checks.text(message))
						.join(' ')
				: drafted.kind;
		if (drafted.kind === 'drafted') {
			const confirmed = await migrations.confirm(drafted.id, 'ada', null);
			told = `${drafted.kind} ${JSON.stringify(confirmed)}`;
			for (let looks = 0; looks < LOOKS; looks++) {
				const state = await carry(net, migrations, drafted.id, 1);
				const { reason } = (await migrations.get(drafted.id))!.row;
				const why = reason === null ? '' : reasons.text(reason);
				told = state === 'done' ? null : `${JSON.stringify(confirmed)} ${state}: ${why}`;
				if (told === null || says?.(told) === true) break;
			}
		}
		return { told, burns: (await burnsOf(net, 'ALPHA')).length - before };
	}

	test('arrives, or names what is missing', async () => {
		answering((method, result) => {
			given.set(method, (given.get(method) ?? new Set()).add(stringifyJson(result)));
			return result;
		});
		expect(await toldOf()).toEqual({ told: null, burns: 1 });
		const wrong: string[] = [];
		const counts = { members: 0, unread: 0, named: 0, carried: 0 };
		for (const [method, texts] of [...given].sort()) {
			if (!isDaemonMethod(method)) throw new Error(`${method} is no method.`);
			const results = [...texts].map((text) => parseJson(text));
			for (const member of new Set(results.flatMap((result) => membersOf(result)))) {
				counts.members += 1;
				const path = member.split('.');
				const name = path.at(-1)!;
				const says = (words: string) => words.includes(name);
				const effects = results.map((result) => effectOf(method, result, path));
				for (const effect of effects.filter((one) => one !== 'none' && one !== 'other')) {
					if (!says(effect)) wrong.push(`${method} ${member}: ${effect}`);
				}
				if (effects.every((effect) => effect === 'none')) counts.unread += 1;
				// One of a method's unreadable responses stands for all, because each message names its member
				// in the same way. Each database runs one half of them.
				else if (counts.members % 2 === (database.db.dialect === 'sqlite' ? 0 : 1)) continue;
				else if (!effects.includes('other') && counts.named % 16 !== 0) counts.named += 1;
				else {
					if (!effects.includes('other')) counts.named += 1;
					counts.carried += 1;
					answering((asked, result) => (asked === method ? without(result, path) : result));
					const { told, burns } = await toldOf(says);
					const spoken = told === null || says(told) || MEANS[name]?.test(told) === true;
					if (burns > 1 || !spoken || /offline|does not answer|Nothing answers/.test(told ?? ''))
						wrong.push(`${method} ${member}: ${burns} burns, ${told}`);
					answering((_, result) => result);
				}
			}
		}
		console.info(JSON.stringify(counts));
		expect(wrong).toEqual([]);
		expect(counts.members).toBeGreaterThan(100);
	});
});
