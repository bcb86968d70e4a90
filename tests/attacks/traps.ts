/**
 * Tests with known daemon behavior that loses money ("traps"): each test arms a trap and uses a form of the
 * application, whose guard must notice it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addressOfPubkey } from '#lib/chain/address.ts';
import { formatCoins } from '#lib/chain/amount.ts';
import { parseBurn, parsePayouts, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { buildImport, parseImport } from '#lib/chain/importProof.ts';
import { parseTransaction, serializeTransaction } from '#lib/chain/transaction.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { startDevnet, type Devnet } from '../support/devnet.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { page, postForm, type Person, type Target } from './target.ts';

/** The result of a form: the address it led to, or the text of its page. */
interface Led {
	location: string;
	text: string;
}

const plain = (html: string): string =>
	(/<main[\s\S]*<\/main>/.exec(html)?.[0] ?? html).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');

async function submit(
	target: Target,
	{ cookie }: Person,
	path: string,
	fields: Record<string, string> | [name: string, value: string][]
): Promise<Led> {
	const answer = await postForm(target.url, path, fields, { cookie });
	const text = plain(await answer.text());
	return {
		location: answer.headers.get('location') ?? '',
		// From the message on: before it is the usual part of the form's page.
		text: text.replace(/^.*?(?=Nothing was built)/, '')
	};
}

/** Releases the locks of earlier attacks, as the passing minutes would. */
async function free({ db }: Target): Promise<void> {
	await db.deleteFrom('locked_utxos').execute();
}

const creation = (more: Record<string, string> = {}): Record<string, string> => ({
	kind: 'fungible',
	name: 'trap',
	supply: '0.00001',
	decimals: '8',
	description: '',
	data: '',
	...more
});

const create = (target: Target, person: Person, more?: Record<string, string>): Promise<Led> =>
	submit(target, person, '/chains/ALPHA/tokens/new', creation(more));

/**
 * The page of a reviewed token creation.
 * @throws when none was created, because the test would prove nothing
 */
async function reviewed(target: Target, person: Person): Promise<string> {
	const { location, text } = await create(target, person);
	if (!location.startsWith('/transactions/')) throw new Error(`Nothing was reviewed: ${text}`);
	return location;
}

/** Discards a review, so that its coins are free for later tests. */
async function giveUp(target: Target, person: Person, { location }: Led): Promise<void> {
	if (location.startsWith('/transactions/'))
		await submit(target, person, `${location}?/discard`, {});
	if (location.startsWith('/migrations/')) {
		await submit(target, person, `${location}?/discard`, {});
	}
}

/** The outcome: successful when the attack got to a page of its own; otherwise with the message. */
async function ended(target: Target, person: Person, led: Led): Promise<Outcome> {
	await giveUp(target, person, led);
	return outcome(led.location !== '', led.location || led.text);
}

const txidOf = async (target: Target, review: string): Promise<string> => {
	const row = await target.db
		.selectFrom('transactions')
		.select('txid')
		.where('id', '=', review.split('/').at(-1) ?? '')
		.executeTakeFirstOrThrow();
	return row.txid;
};

/** How often a transaction was passed to the daemon for sending. */
async function sendings(target: Target, txid: string): Promise<number> {
	const rows = await target.auth.audit.list({ action: 'send.sent', limit: 500 });
	return rows.filter((row) => row.target === txid).length;
}

const carry = (
	target: Target,
	person: Person,
	[source, destination]: readonly [string, string],
	amount: string
): Promise<Led> =>
	submit(target, person, '/migrations/new', {
		source,
		destination,
		address: 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92',
		amount,
		proof: 'notarizations',
		policy: 'automatic'
	});

/**
 * Splits the coins of a wallet, so that ten outputs are not all of it; token transactions need some of their
 * own.
 */
async function scatter({ devnet }: Target): Promise<void> {
	const rpc = <T>(method: string, ...params: unknown[]) =>
		devnet.rpc<T>('ALPHA', method, ...params);
	const most = (await rpc<{ amount: number }[]>('listunspent', 0)).map(({ amount }) => amount);
	if (Math.max(...most) <= 90_000) return;
	const addresses = await Promise.all(
		Array.from({ length: 15 }, () => rpc<string>('getnewaddress'))
	);
	const wanted = Object.fromEntries(addresses.map((address) => [address, 90_000]));
	const draft = await rpc<string>('createrawtransaction', [], wanted);
	const { hex } = await rpc<{ hex: string }>('fundrawtransaction', draft);
	const signed = await rpc<{ hex: string }>('signrawtransaction', hex);
	await rpc('sendrawtransaction', signed.hex);
	await devnet.control.mine('ALPHA');
	const own = addressOfPubkey(devnet.chains.get('ALPHA')!.pubkey);
	for (let n = 0; n < 6; n += 1) await rpc('sendtoaddress', own, 1_000);
	await devnet.control.mine('ALPHA');
}

/** Mines the mempool's transactions, so that their outputs can be spent. */
const settle = (target: Target): Promise<unknown> => target.devnet.control.mine('ALPHA');

const traps: readonly Attack[] = [
	{
		name: 'transfer-that-nobody-signed',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			await settle(target);
			const [tokenid = ''] = await target.devnet.rpc<string[]>('ALPHA', 'tokenlist');
			await target.devnet.control.wallet('ALPHA', { locked: true });
			try {
				const led = await submit(target, person, `/chains/ALPHA/token/${tokenid}/transfer`, {
					recipient: target.devnet.chains.get('BETA')!.pubkey,
					amount: '1'
				});
				await giveUp(target, person, led);
				return outcome(!/could not sign it/.test(led.text), led.location || led.text);
			} finally {
				await target.devnet.control.wallet('ALPHA', { locked: false });
			}
		}
	},
	{
		name: 'amount-that-is-read-too-low',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const led = await create(target, person, { supply: '1.15' });
			await giveUp(target, person, led);
			// If the guard notices it only later, it stops a member whose request was right.
			return outcome(led.location === '', led.location || led.text);
		}
	},
	{
		name: 'another-amount-than-asked',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			return ended(target, person, await create(target, person, { supply: '1.15' }));
		}
	},
	{
		name: 'payload-without-room',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const more = { kind: 'non-fungible', supply: '', data: `f3${'00'.repeat(9_990)}` };
			const led = await create(target, person, { ...more, description: 'd'.repeat(4_000) });
			await giveUp(target, person, led);
			return outcome(!/no chain takes more than/.test(led.text), led.location || led.text);
		}
	},
	{
		name: 'two-reviews-of-the-same-coins',
		class: 'double spend',
		async run(target) {
			const [one, two] = [await target.person('operator'), await target.person('operator')];
			const first = await reviewed(target, one);
			const second = await create(target, two, { name: 'the same coins' });
			await giveUp(target, one, { location: first, text: '' });
			return ended(target, two, second);
		}
	},
	{
		name: 'send-by-another-wallet',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const review = await reviewed(target, person);
			const txid = await txidOf(target, review);
			await target.devnet.control.wallet('ALPHA', { hasPubkey: false });
			let led: Led;
			try {
				led = await submit(target, person, `${review}?/send`, {});
			} finally {
				await target.devnet.control.wallet('ALPHA', { hasPubkey: true });
			}
			const sent = await sendings(target, txid);
			await giveUp(target, person, { location: review, text: '' });
			await settle(target);
			return outcome(sent > 0, led.text || led.location);
		}
	},
	{
		name: 'button-pressed-twice',
		class: 'double spend',
		async run(target) {
			const person = await target.person('operator');
			const review = await reviewed(target, person);
			const press = (): Promise<Led> => submit(target, person, `${review}?/send`, {});
			await Promise.all([press(), press(), press(), press()]);
			const times = await sendings(target, await txidOf(target, review));
			await settle(target);
			return outcome(times !== 1, { times });
		}
	},
	{
		name: 'form-sent-twice',
		class: 'double spend',
		async run(target) {
			const person = await target.person('operator');
			await free(target);
			const form = await page(target, '/chains/ALPHA/tokens/new', person.cookie);
			const text = await form.text();
			const key = /name="idempotency-key" value="([^"]+)"/.exec(text)?.[1] ?? '';
			if (key === '') throw new Error(`The form has no key: ${form.status} ${text.slice(-4_000)}`);
			const press = (): Promise<Led> => create(target, person, { 'idempotency-key': key });
			const led = await Promise.all([press(), press(), press()]);
			led.push(await press());
			const places = new Set(led.map(({ location }) => location));
			for (const one of led) if (one.location !== '') await giveUp(target, person, one);
			return outcome(places.size !== 1, { places: [...places] });
		}
	},
	{
		name: 'sent-again-unseen',
		class: 'double spend',
		async run(target) {
			const person = await target.person('operator');
			const review = await reviewed(target, person);
			const id = review.split('/').at(-1) ?? '';
			const { hex, txid } = await target.db
				.selectFrom('transactions')
				.select(['hex', 'txid'])
				.where('id', '=', id)
				.executeTakeFirstOrThrow();
			// Like after a lost response: it was sent, and the application does not know.
			await target.devnet.rpc('ALPHA', 'sendrawtransaction', hex);
			await target.db
				.updateTable('transactions')
				.set({ state: 'unknown' })
				.where('id', '=', id)
				.execute();
			const led = await submit(target, person, `${review}?/send`, {});
			const times = await sendings(target, txid);
			await settle(target);
			return outcome(times > 0, { times, led: led.location || led.text });
		}
	},
	{
		name: 'second-import',
		class: 'double spend',
		async run(target) {
			const { devnet, db, auth } = target;
			const person = await target.person('operator');
			const typed = { address: await devnet.rpc<string>('ALPHA', 'getnewaddress'), amount: '13' };
			const { location, text } = await submit(target, person, '/chains/SELF/self-import', typed);
			if (!location.startsWith('/chains/SELF/self-import/'))
				throw new Error(`Nothing was built: ${text}`);
			await submit(target, person, `${location}?/send`, {});
			const { hex, txid } = await db
				.selectFrom('transactions')
				.select(['hex', 'txid'])
				.where('follows', '=', location.split('/').at(-1) ?? '')
				.executeTakeFirstOrThrow();
			const parts = parseImport(parseTransaction(hex));
			if (parts?.proof.kind !== 'txproof') throw new Error('This is another kind of import.');
			// The index in the proof has no meaning, and makes it another transaction.
			const twin = buildImport(parts.burnTx, parts.payouts, { ...parts.proof, index: 170_007 });
			const safetyControls = createSafetyControls(db, auth.audit);
			await safetyControls.turnOn('freeze', 'somebody is faster', 'ada');
			try {
				await devnet.control.mine('SELF');
				await devnet.rpc('SELF', 'sendrawtransaction', bytesToHex(serializeTransaction(twin)));
				await devnet.control.mine('SELF');
			} finally {
				await safetyControls.turnOff('freeze', null);
			}
			await page(target, location, person.cookie).then((shown) => shown.text());
			const led = await submit(target, person, `${location}?/import`, {});
			const times = await sendings(target, txid);
			return outcome(times > 0, { times, led: led.location || led.text });
		}
	},
	{
		name: 'burn-for-another-id',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const led = await carry(target, person, ['ALPHA', 'GAMMA'], '1');
			await giveUp(target, person, led);
			return outcome(!/must share the same CCid/.test(led.text), led.location || led.text);
		}
	},
	{
		name: 'burn-that-nothing-proves',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			// BETA has its notarizations, ALPHA has too few of them.
			return ended(target, person, await carry(target, person, ['BETA', 'ALPHA'], '1'));
		}
	},
	{
		name: 'import-that-is-not-relayed',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const led = await carry(target, person, ['ALPHA', 'GAMMA'], '1');
			await giveUp(target, person, led);
			return outcome(!/64: scriptpubkey/.test(led.text), led.location || led.text);
		}
	},
	{
		name: 'burn-of-many-outputs',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			await settle(target);
			await scatter(target);
			const unspent = await target.devnet.rpc<{ amount: number; spendable: boolean }[]>(
				'ALPHA',
				'listunspent',
				0
			);
			const values = unspent
				.filter(({ spendable }) => spendable)
				.map(({ amount }) => BigInt(Math.round(amount * 1e8)))
				.toSorted((a, b) => (a < b ? 1 : -1));
			const most = values.slice(0, 10).reduce((sum, value) => sum + value, 0n);
			const led = await carry(target, person, ['ALPHA', 'BETA'], formatCoins(most));
			await giveUp(target, person, led);
			return outcome(!/too many small UTXOs/.test(led.text), led.location || led.text);
		}
	},
	{
		name: 'change-behind-the-burn',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			await settle(target);
			// The position of the change before or after the burn is random in each build.
			for (let n = 0; n < 12; n += 1) {
				const [{ txid, vout } = { txid: '', vout: 0 }] = await target.devnet.rpc<
					{ txid: string; vout: number }[]
				>('ALPHA', 'listunspent', 1);
				const led = await submit(target, person, '/migrations/new/custom', {
					source: 'ALPHA',
					destination: 'BETA',
					outputs: `${txid}:${vout}`,
					recipients: `RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92 0.0${n + 1}`,
					raw: '',
					policy: 'automatic'
				});
				await giveUp(target, person, led);
				if (/burn is not the last output/.test(led.text)) return outcome(true, led.text);
				if (led.location === '') throw new Error(`Nothing was built: ${led.text}`);
			}
			return outcome(false, 'The burn came last each time.');
		}
	},
	{
		name: 'burn-too-large-for-its-import',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const rpc = <T>(method: string, ...params: unknown[]) =>
				target.devnet.rpc<T>('ALPHA', method, ...params);
			// An input takes more than a hundred bytes.
			const addresses = await Promise.all(
				Array.from({ length: 28 }, () => rpc<string>('getnewaddress'))
			);
			const wanted = Object.fromEntries(addresses.map((address) => [address, 1]));
			const { hex } = await rpc<{ hex: string }>(
				'fundrawtransaction',
				await rpc('createrawtransaction', [], wanted)
			);
			const signed = await rpc<{ hex: string }>('signrawtransaction', hex);
			await rpc('sendrawtransaction', signed.hex);
			await settle(target);
			const utxos = (
				await rpc<{ txid: string; vout: number; address: string }[]>('listunspent', 1)
			).filter(({ address }) => addresses.includes(address));
			const led = await submit(target, person, '/migrations/new/custom', [
				['source', 'ALPHA'],
				['destination', 'BETA'],
				...utxos.map(({ txid, vout }): [string, string] => ['outputs', `${txid}:${vout}`]),
				['recipients', 'RPCeZmqW4Aam52DFLmMraWtu5CuXPxqk92 20'],
				['raw', ''],
				['policy', 'automatic']
			]);
			return ended(target, person, led);
		}
	},
	{
		name: 'burn-recovered-for-somebody-else',
		class: 'loss of funds',
		async run(target) {
			const person = await target.person('operator');
			const rpc = <T>(method: string, ...params: unknown[]) =>
				target.devnet.rpc<T>('ALPHA', method, ...params);
			const [one, two] = [await rpc<string>('getnewaddress'), await rpc<string>('getnewaddress')];
			const draft = await rpc<string>('createrawtransaction', [], { [one]: 0.1, [two]: 0.2 });
			const { exportTx, payouts } = await rpc<{ exportTx: string; payouts: string }>(
				'migrate_converttoexport',
				draft,
				'BETA'
			);
			let funded: { hex: string };
			do {
				funded = await rpc('fundrawtransaction', exportTx);
			} while (parseBurn(parseTransaction(funded.hex)) === null);
			const signed = await rpc<{ hex: string }>('signrawtransaction', funded.hex);
			const txid = await rpc<string>('sendrawtransaction', signed.hex);
			await settle(target);
			const others = serializePayouts(parsePayouts(payouts).toReversed());
			const { location, text } = await submit(target, person, '/migrations/recover', {
				txid,
				chain: 'ALPHA',
				address: '',
				payouts: bytesToHex(others),
				recoveryFile: ''
			});
			// The engine would retry a wrongly recovered migration again and again.
			const id = location.split('/').at(-1) ?? '';
			await target.db
				.updateTable('migrations')
				.set({ state: 'discarded', due_at: null })
				.where('id', '=', id)
				.execute();
			return outcome(location !== '', location || text);
		}
	}
];

export const trapAttacks: readonly Attack[] = traps.map(({ run, ...attack }) => ({
	...attack,
	async run(target) {
		await free(target);
		return run(target);
	}
}));

/** Changes the configuration before the application reads it: GAMMA relays less than an import needs. */
function armConfiguration({ dir }: { dir: string }): void {
	const file = join(dir, 'GAMMA', 'GAMMA.conf');
	// The first occurrence of a key counts.
	writeFileSync(file, `datacarriersize=300\n${readFileSync(file, 'utf8')}`);
}

/** Notarizes BETA as often as a proof needs, and ALPHA less often. */
async function armNotarizations({ control }: Pick<Devnet, 'control'>): Promise<void> {
	await control.notarize('ALPHA');
	for (let n = 0; n < 8; n += 1) await control.notarize('BETA');
}

/** A network in which each trap can be armed; these tests need a separate one. */
export async function startArmedDevnet(): Promise<Devnet> {
	const devnet = await startDevnet({ bare: true });
	armConfiguration(devnet);
	await armNotarizations(devnet);
	return devnet;
}
