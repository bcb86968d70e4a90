/**
 * Sends with incomplete daemon responses: each member of each response between the form and the final block is
 * removed once. The transaction becomes final all the same, or the missing member is reported; in every case it
 * is on the chain at most once and becomes final when responses are complete again.
 */
import { beforeAll, expect, test } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { isDaemonMethod } from '#lib/rpc/daemon/index.ts';
import { isJsonObject, parseJson, stringifyJson, type JsonValue } from '#lib/rpc/json.ts';
import { isTransactionError } from '#lib/server/wallet/transactions/errors.ts';
import { lookUp } from '#lib/server/wallet/transactions/lookUp.ts';
import {
	between,
	gatewayTo,
	made,
	reviewed,
	senderOver,
	transfer
} from '../integration/transactions/support.ts';
import { describeOnSqlite } from '../support/database.ts';
import { startDevnet } from '../support/devnet.ts';
import { effectOf, membersOf, without } from './members.ts';
import { shared } from '../support/shared.ts';

/** Consequence of a missing member, as a pattern of its message. */
const MEANS: Readonly<Record<string, RegExp>> = {
	CCid: /another chain id \(CCid\)/,
	// Without a release the daemon is treated as one of the interface document, which has other parameters.
	KMDversion: /is not a string as expected|cannot be used/
};

describeOnSqlite('a send whose daemon leaves something out', (database) => {
	let tokenid: string;
	let recipient: string;
	let own: string;

	const net = shared(() => startDevnet());
	const proxy = shared(() => between(net, 'ALPHA'));
	const gateway = shared(() => gatewayTo(net, database, { ALPHA: { url: proxy.url } }));
	const sender = shared(() =>
		senderOver(database, gateway, {
			finality: new Map([['ALPHA', { confirmations: 2, notarization: 'none' }]])
		})
	);
	beforeAll(async () => {
		tokenid = await made(net, sender);
		own = addressOfPubkey(net.chains.get('ALPHA')!.pubkey);
		recipient = net.chains.get('BETA')!.pubkey;
	});

	/** Changes each result. */
	function answering(change: (method: string, result: JsonValue) => JsonValue): void {
		proxy.rewrite = (method, body) => {
			const envelope = parseJson(body);
			if (!isJsonObject(envelope)) return body;
			return stringifyJson({ ...envelope, result: change(method, envelope['result'] ?? null) });
		};
	}

	/** Members that were already tested with an earlier form. */
	const done = new Set<string>();

	const FORMS: Readonly<Record<string, () => Promise<string>>> = {
		'token transfer': () => sender.moveToken('ALPHA', transfer(tokenid, recipient, 1n), 'ada'),
		// Consolidating leaves one output: the daemon splits it for the next form.
		'coin send': async () => {
			await net.rpc('ALPHA', 'sendtoaddress', own, 1);
			await net.control.mine('ALPHA');
			return sender.consolidate('ALPHA', 'ada');
		}
	};

	/** All messages about a send from its form to its final block; null when it became final. */
	async function toldOf(form: () => Promise<string>, says: (words: string) => boolean) {
		const told: string[] = [];
		let id: string | null = null;
		try {
			id = await form();
			await sender.send(id, 'ada');
		} catch (error) {
			if (!isTransactionError(error)) throw error;
			told.push(error.message);
		}
		await net.control.mine('ALPHA', 2);
		for (let look = 0; id !== null && look < 2 && !told.some(says); look++) {
			await sender.reconcileAll();
			const words = await lookUp(sender, [await reviewed(sender, id)]);
			if (words !== null) told.push(words);
		}
		const row = id === null ? null : await reviewed(sender, id);
		const isFinal = row?.state === 'confirmed' && row.finalAt !== null;
		return { id, told: isFinal ? null : `${row?.state ?? 'not built'}: ${told.join(' ')}` };
	}

	test.each(Object.keys(FORMS))(
		'a %s becomes final, or names what is missing',
		async (name) => {
			const form = FORMS[name]!;
			/** The results that a whole send gets, as raw text, by method. */
			const given = new Map<string, Set<string>>();
			answering((method, result) => {
				given.set(method, (given.get(method) ?? new Set()).add(stringifyJson(result)));
				return result;
			});
			expect((await toldOf(form, () => false)).told).toBeNull();
			const wrong: string[] = [];
			const counts = { members: 0, unread: 0, named: 0, sent: 0 };
			for (const [method, texts] of [...given].sort()) {
				if (!isDaemonMethod(method)) throw new Error(`${method} is no method.`);
				const results = [...texts].map((text) => parseJson(text));
				for (const member of new Set(results.flatMap((result) => membersOf(result)))) {
					if (done.has(`${method} ${member}`)) continue;
					done.add(`${method} ${member}`);
					counts.members += 1;
					const path = member.split('.');
					const name = path.at(-1)!;
					const says = (words: string) => words.includes(name) || MEANS[name]?.test(words) === true;
					const effects = results.map((result) => effectOf(method, result, path));
					for (const effect of effects.filter((one) => one !== 'none' && one !== 'other')) {
						counts.named += 1;
						if (!says(effect)) wrong.push(`${method} ${member}: ${effect}`);
					}
					// Where the decoded response is unchanged, later behavior cannot differ.
					if (effects.every((effect) => effect === 'none')) {
						counts.unread += 1;
						continue;
					}
					// One of several unreadable responses stands for all, because each message names its member
					// in the same way.
					if (!effects.includes('other') && counts.named++ % 12 !== 0) continue;
					counts.sent += 1;
					answering((asked, result) => (asked === method ? without(result, path) : result));
					const { id, told } = await toldOf(form, says);
					if (
						told !== null &&
						(!says(told) || /offline|does not answer|Nothing answers/.test(told))
					) {
						wrong.push(`${method} ${member}: ${told}`);
					}
					answering((_, result) => result);
					if (id === null) continue;
					// The known state remains when responses are complete again.
					const { state } = await reviewed(sender, id);
					if (state === 'reviewed') await sender.discard(id, 'ada');
					else await sender.reconcileAll();
					const row = await reviewed(sender, id);
					const { rawconfirmations = 0 } = await net
						.rpc<{ rawconfirmations?: number }>('ALPHA', 'getrawtransaction', row.txid, 1)
						.catch((): { rawconfirmations?: number } => ({}));
					if (state !== 'reviewed' && (rawconfirmations < 2 || row.finalAt === null)) {
						wrong.push(`${method} ${member}: ${row.state} with ${rawconfirmations} confirmations`);
					}
				}
			}
			console.info(name, JSON.stringify(counts));
			expect(wrong).toEqual([]);
			expect(counts.sent).toBeGreaterThan(0);
		},
		120_000
	);
});
