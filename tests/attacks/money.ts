/** Attacks and mistakes that cost members money. */
import { randomUUID } from 'node:crypto';
import { vi } from 'vitest';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { hexToBytes } from '#lib/chain/bytes.ts';
import { ccAddress, ccScript, EVAL } from '#lib/chain/cryptocondition.ts';
import { createLimits } from '#lib/server/access/policy/limits/limits.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { outcome, type Attack } from './attack.ts';
import { FORMULA } from './rpcApi.ts';
import { call, page, postForm, type Target } from './target.ts';

/**
 * Submits a form.
 * @returns the address of the review when the form was accepted
 */
async function submit(
	target: Target,
	path: string,
	fields: Record<string, string>
): Promise<{ taken: boolean; text: string }> {
	const { cookie } = await target.person('operator');
	const answer = await postForm(target.url, path, fields, { cookie });
	const text = await answer.text();
	const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? text;
	return { taken: answer.status === 303, text: main.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ') };
}

/** The id of the token that the wallet of ALPHA holds. */
async function ownToken(target: Target): Promise<string> {
	const { cookie } = await target.person('viewer');
	const list = await page(target, '/api/v1/chains/ALPHA/tokens', cookie);
	const { rows } = (await list.json()) as { rows: { tokenid: string; name: string }[] };
	return rows.find(({ name }) => name === FORMULA)?.tokenid ?? '';
}

export const moneyAttacks: readonly Attack[] = [
	{
		name: 'wallet-of-others',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await target.person('operator', 'none');
			const body = '{"id":1,"method":"tokencreate","params":["theirs","0.00000001"]}';
			const { text } = await call(target, token, body);
			return outcome(text.includes('"result":"success"'), text);
		}
	},
	{
		name: 'wallet-read-by-others',
		class: 'privilege escalation',
		async run(target) {
			const { cookie } = await target.person('operator', 'none');
			const read = await Promise.all(
				['', '/utxos.json', '/history'].map(async (part) => {
					const answer = await page(target, `/wallets/ALPHA${part}`, cookie);
					return answer.ok && /[0-9a-f]{64}/.test(await answer.text());
				})
			);
			return outcome(read.includes(true), { read });
		}
	},
	{
		name: 'transactions-read-by-others',
		class: 'privilege escalation',
		async run(target) {
			const mate = await target.person('operator');
			const fields = { kind: 'fungible', name: 'mine', supply: '1', description: '', data: '' };
			const made = await postForm(target.url, '/chains/ALPHA/tokens/new', fields, {
				cookie: mate.cookie
			});
			const review = made.headers.get('location') ?? '';
			if (!/^\/transactions\//.test(review))
				throw new Error(`Nothing was reviewed: ${await made.text()}`);
			const id = review.split('/').at(-1) ?? '';
			const { cookie } = await target.person('operator', 'none');
			const read = await Promise.all(
				[review, '/transactions', '/transactions/transactions.json'].map(async (path) => {
					const answer = await page(target, path, cookie);
					return (await answer.text()).includes(id) && answer.ok;
				})
			);
			// A remaining draft would lock coins that later attacks need.
			await postForm(target.url, `${review}?/discard`, {}, { cookie: mate.cookie });
			return outcome(read.includes(true), { read });
		}
	},
	{
		name: 'wallet-asked-by-others',
		class: 'privilege escalation',
		async run(target) {
			const { token } = await target.person('operator', 'none');
			const asked = ['listunspent', 'listtransactions', 'listsinceblock'].map(
				(method) => `{"id":1,"method":"${method}","params":[]}`
			);
			const alone = await Promise.all(asked.map((body) => call(target, token, body)));
			const batch = await call(target, token, `[${asked.join(',')}]`);
			const texts = [...alone, batch].map(({ text }) => text);
			return outcome(
				texts.some((text) => /"txid":"[0-9a-f]{64}"/.test(text)),
				texts
			);
		}
	},
	{
		name: 'work-of-others',
		class: 'privilege escalation',
		async run(target) {
			const { db, auth } = target;
			const mate = await target.person('operator');
			const address = await target.devnet.rpc<string>('BETA', 'getnewaddress');
			const fields = { source: 'ALPHA', destination: 'BETA', address, amount: '0.5' };
			const made = await postForm(
				target.url,
				'/migrations/new',
				{ ...fields, proof: 'notarizations', policy: 'ask' },
				{ cookie: mate.cookie }
			);
			const draft = made.headers.get('location') ?? '';
			if (!/^\/migrations\//.test(draft))
				throw new Error(`Nothing was reviewed: ${await made.text()}`);
			const { cookie, account } = await target.person('operator', 'none');
			const wallets = createWallets(db, auth.audit);
			await wallets.set(null, account.id, { every: false, daemons: ['BETA'] });
			const answer = await postForm(target.url, `${draft}?/discard`, {}, { cookie });
			await answer.body?.cancel();
			const left = await db
				.selectFrom('migrations')
				.select('state')
				.where('id', '=', draft.split('/').at(-1)!)
				.executeTakeFirst();
			const gone = left?.state !== 'draft';
			// A remaining draft would lock coins that later attacks need.
			if (!gone) await postForm(target.url, `${draft}?/discard`, {}, { cookie: mate.cookie });
			return outcome(gone, { status: answer.status });
		}
	},
	{
		name: 'unsent-burn-of-another-wallet',
		class: 'privilege escalation',
		async run(target) {
			const { db, auth, devnet } = target;
			const { account, cookie } = await target.person('operator', 'none');
			const wallets = createWallets(db, auth.audit);
			await wallets.set(null, account.id, { every: false, daemons: ['ALPHA'] });
			const address = await devnet.rpc<string>('BETA', 'getnewaddress');
			const hex = await devnet.rpc<string>('ALPHA', 'createrawtransaction', [], { [address]: 1 });
			const { txid } = await devnet.rpc<{ txid: string }>('ALPHA', 'decoderawtransaction', hex);
			const id = randomUUID();
			const now = Date.now();
			// A burn that stopped before it was sent; the daemon of its wallet has another name since.
			const gone = 'ALPHA:treasury';
			await db
				.insertInto('migrations')
				.values({
					id,
					path: 'notarized',
					source: 'ALPHA',
					destination: 'BETA',
					source_daemon: gone,
					destination_daemon: 'BETA',
					kmd_daemon: 'KMD',
					ccid: 777,
					pubkey: devnet.chains.get('BETA')!.pubkey,
					policy: 'ask',
					address,
					amount: 100_000_000,
					burn_txid: txid,
					import_scan_from: 1,
					created_by: 'a treasurer',
					state: 'stuck',
					fencing_token: 0,
					state_since: now,
					created_at: now,
					updated_at: now
				})
				.execute();
			await db
				.insertInto('migration_steps')
				.values({ migration: id, step: 'burn', evidence: '{}', hex, txid, started_at: now })
				.execute();
			try {
				const fields = { txid, chain: 'ALPHA', address: '', payouts: '', recoveryFile: '' };
				const answer = await postForm(target.url, '/migrations/recover', fields, { cookie });
				await answer.body?.cancel();
				const { source_daemon: daemon } = await db
					.selectFrom('migrations')
					.select('source_daemon')
					.where('id', '=', id)
					.executeTakeFirstOrThrow();
				const read = await (await page(target, `/migrations/${id}`, cookie)).text();
				const { status } = answer;
				return outcome(daemon !== gone || read.includes(hex), { status, daemon });
			} finally {
				const over = { state: 'discarded', burn_txid: null } as const;
				await db.updateTable('migrations').set(over).where('id', '=', id).execute();
			}
		}
	},
	{
		name: 'approval-after-the-role-is-gone',
		class: 'privilege escalation',
		async run(target) {
			const { db } = target;
			// A notary operator who became an operator after the confirmation.
			const { account, cookie } = await target.person('operator');
			const fields = { kind: 'fungible', name: 'mine', supply: '1', description: '', data: '' };
			// Earlier attacks may have left a review that locks the coins.
			await db.deleteFrom('locked_utxos').execute();
			const made = await postForm(target.url, '/chains/ALPHA/tokens/new', fields, { cookie });
			const review = made.headers.get('location') ?? '';
			if (!/^\/transactions\//.test(review))
				throw new Error(`Nothing was reviewed: ${await made.text()}`);
			await made.body?.cancel();
			const id = randomUUID();
			const now = Date.now();
			await db
				.insertInto('approval_queues')
				.values({
					id,
					state: 'open',
					created_by: account.name,
					built_by: account.name,
					created_at: now,
					active_until: now + 60_000
				})
				.execute();
			await db
				.insertInto('approval_queue_items')
				.values({
					queue: id,
					n: 1,
					burn_txid: 'ab'.repeat(32),
					source: 'BETA',
					destination: 'ALPHA',
					daemon: 'ALPHA',
					state: 'confirmed',
					transaction_id: review.split('/').at(-1)!,
					confirmed_by: account.name
				})
				.execute();
			const { state } = await vi.waitFor(
				async () => {
					const item = await db
						.selectFrom('approval_queue_items')
						.select('state')
						.where('queue', '=', id)
						.executeTakeFirstOrThrow();
					if (item.state === 'confirmed') throw new Error('Nobody has looked at the queue.');
					return item;
				},
				{ timeout: 30_000, interval: 50 }
			);
			await db.deleteFrom('approval_queues').where('id', '=', id).execute();
			// A remaining draft would lock coins that later attacks need.
			await (await postForm(target.url, `${review}?/discard`, {}, { cookie })).body?.cancel();
			return outcome(state === 'sent', { state });
		}
	},
	{
		name: 'import-after-the-approver-is-gone',
		class: 'privilege escalation',
		async run(target) {
			const { db, auth, devnet } = target;
			const approver = await target.person('operator');
			const beta = <T>(method: string, ...params: unknown[]) =>
				devnet.rpc<T>('BETA', method, ...params);
			// A payment instead of an import, because BETA accepts it without a proof.
			const address = await beta<string>('getnewaddress');
			const { hex: unsigned } = await beta<{ hex: string }>(
				'fundrawtransaction',
				await beta('createrawtransaction', [], { [address]: 0.001 })
			);
			const { hex } = await beta<{ hex: string }>('signrawtransaction', unsigned);
			const { txid } = await beta<{ txid: string }>('decoderawtransaction', hex);
			// Any transaction in a block is a burn that still is in a block.
			const { tx } = await devnet.rpc<{ tx: string[] }>('ALPHA', 'getblock', '1', 1);
			const burn = tx[0] ?? '';
			// The approver lost the role while BETA was away.
			await auth.members.setRole(null, approver.account.id, 'viewer');
			const id = randomUUID();
			const now = Date.now();
			await db
				.insertInto('migrations')
				.values({
					id,
					path: 'notarized',
					source: 'ALPHA',
					destination: 'BETA',
					source_daemon: 'ALPHA',
					destination_daemon: 'BETA',
					kmd_daemon: 'KMD',
					ccid: 777,
					policy: 'ask',
					approved_by: approver.account.name,
					address,
					amount: 100_000,
					burn_txid: burn,
					import_scan_from: 1,
					created_by: approver.account.name,
					state: 'import-unknown',
					fencing_token: 0,
					state_since: now,
					created_at: now,
					updated_at: now
				})
				.execute();
			const step = { migration: id, evidence: '{}', started_at: now };
			await db
				.insertInto('migration_steps')
				.values([
					{ ...step, step: 'burn', hex: '00', txid: burn, done_at: now },
					{ ...step, step: 'import-sent', hex, txid }
				])
				.execute();
			const row = db.updateTable('migrations').where('id', '=', id);
			await row.set({ due_at: now }).execute();
			try {
				const { state, reason } = await vi.waitFor(
					async () => {
						const found = await db
							.selectFrom('migrations')
							.select(['state', 'reason'])
							.where('id', '=', id)
							.executeTakeFirstOrThrow();
						if (found.state === 'import-unknown') throw new Error(found.reason ?? 'no reason');
						return found;
					},
					{ timeout: 30_000, interval: 50 }
				);
				return outcome((await beta<string[]>('getrawmempool')).includes(txid), { state, reason });
			} finally {
				await row.set({ state: 'discarded', due_at: null, burn_txid: null }).execute();
			}
		}
	},
	{
		name: 'send-while-frozen',
		class: 'spending control bypass',
		async run(target) {
			const safetyControls = createSafetyControls(target.db, target.auth.audit);
			const { token } = await target.person('operator');
			await safetyControls.turnOn('freeze', 'a test', 'ada');
			try {
				const body = '{"id":1,"method":"sendrawtransaction","params":["00"]}';
				const { text } = await call(target, token, body);
				return outcome(!/frozen/.test(text), text);
			} finally {
				await safetyControls.turnOff('freeze', null);
			}
		}
	},
	{
		name: 'refusal-without-a-trace',
		class: 'spending control bypass',
		async run(target) {
			const { account, token } = await target.person('operator');
			const limits = createLimits(target.db, target.auth.audit);
			const none = { count: null, amount: 0n };
			await limits.set(null, { account: account.id, chain: '*', kind: 'coin-send', most: none });
			const { pubkey } = target.devnet.chains.get('BETA')!;
			const address = addressOfPubkey(pubkey);
			const send = `{"id":1,"method":"sendtoaddress","params":["${address}",7.77]}`;
			await call(target, token, send);
			const safetyControls = createSafetyControls(target.db, target.auth.audit);
			await safetyControls.turnOn('freeze', 'a test', 'ada');
			try {
				await call(target, token, '{"id":1,"method":"signrawtransaction","params":["00"]}');
			} finally {
				await safetyControls.turnOff('freeze', null);
			}
			const rows = await target.auth.audit.list({ actor: account.name, action: 'call.refused' });
			const told = rows.map(({ target: what, detail }) => `${what} ${detail['why']}`);
			const [limit] = rows.filter(({ detail }) => detail['why'] === 'limit');
			const whole = JSON.stringify(limit?.detail ?? {});
			const found =
				told.includes('sendtoaddress limit') &&
				told.includes('signrawtransaction safety') &&
				whole.includes('7.77') &&
				whole.includes(address);
			return outcome(!found, { told, whole }, 2);
		}
	},
	{
		name: 'data-that-no-module-checks',
		class: 'loss of funds',
		async run(target) {
			const fields = {
				kind: 'non-fungible',
				name: 'stuck',
				supply: '',
				description: '',
				data: 'aa00'
			};
			const { taken, text } = await submit(target, '/chains/ALPHA/tokens/new', fields);
			return outcome(taken, text);
		}
	},
	{
		name: 'key-that-nobody-has',
		class: 'loss of funds',
		async run(target) {
			const path = `/chains/ALPHA/token/${await ownToken(target)}/transfer`;
			const fields = { recipient: `02${'ff'.repeat(32)}`, amount: '1' };
			const { text } = await submit(target, path, fields);
			return outcome(!/no private key belongs to it/.test(text), text);
		}
	},
	{
		name: 'coins-to-a-token-address',
		class: 'loss of funds',
		async run(target) {
			const { pubkey } = target.devnet.chains.get('BETA')!;
			const address = ccAddress(ccScript([hexToBytes(pubkey)], [EVAL.tokens]));
			const { taken, text } = await submit(target, '/migrations/new', {
				source: 'ALPHA',
				destination: 'BETA',
				address,
				amount: '1',
				proof: 'notarizations',
				policy: 'automatic'
			});
			const paid = await submit(target, '/wallets/ALPHA/send', {
				recipient: address,
				amount: '1',
				more: '',
				rate: ''
			});
			const isThrough = (sent: typeof paid): boolean =>
				sent.taken || !/paid to it are lost/.test(sent.text);
			return outcome(isThrough({ taken, text }) || isThrough(paid), `${text} ${paid.text}`, 2);
		}
	}
];
