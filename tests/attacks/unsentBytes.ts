/** Attacks on signed bytes that were not sent yet: anyone who has them can send them from anywhere. */
import { randomUUID } from 'node:crypto';
import { bytesToHex, hexToBytes } from '#lib/chain/bytes.ts';
import { parseTransaction } from '#lib/chain/transaction.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { outcome, type Attack, type Outcome } from './attack.ts';
import { page, postForm, type Person, type Target } from './target.ts';

/** Callers who might read them: the author of a review, and all others. */
interface Reader {
	who: string;
	cookie: string;
	authorization?: string;
}

/** Pages and API addresses that might show the bytes of an item with this id. */
const placesOf = (path: string): string[] => [
	path,
	`${path}/__data.json`,
	`${path}/__data.json?x-sveltekit-invalidated=11`,
	`${path}?hex=1`,
	`${path}/recovery.json`
];
/** Lists that might contain an item with its bytes. */
const LISTS: readonly string[] = [
	'/transactions',
	'/transactions/__data.json',
	'/migrations',
	'/migrations/__data.json',
	'/notary-approvals',
	'/notary-approvals/__data.json',
	'/api/notary-approvals.json',
	'/console',
	'/console/__data.json',
	'/account/events',
	'/account/events/__data.json',
	'/admin/audit',
	'/admin/audit/__data.json',
	'/admin/audit/audit.csv',
	'/admin/audit/audit.json',
	'/api/v1/chains',
	'/metrics'
];

const base64Of = (hex: string): string => Buffer.from(hexToBytes(hex)).toString('base64');

/** Texts that no response may contain: the bytes, and each script from which they could be rebuilt. */
function secretsOf(hex: string): string[] {
	const scripts = parseTransaction(hex).vin.map(({ scriptSig }) => bytesToHex(scriptSig));
	const whole = [hex, ...scripts.filter(({ length }) => length > 60)];
	return whole.flatMap((one) => [one.toLowerCase(), base64Of(one).slice(8, 60).toLowerCase()]);
}

async function readersOf(target: Target, owner: Person): Promise<Reader[]> {
	const readers: Reader[] = [{ who: 'nobody', cookie: '' }];
	for (const role of ['viewer', 'operator', 'notary', 'admin'] as const) {
		for (const wallets of ['none', 'every'] as const) {
			const { cookie, token } = await target.person(role, wallets);
			readers.push({ who: `${role} with ${wallets}`, cookie });
			if (role !== 'operator') continue;
			const authorization = `Bearer ${token}`;
			readers.push({ who: `token of ${role} with ${wallets}`, cookie: '', authorization });
		}
	}
	return [...readers, { who: 'owner', cookie: owner.cookie }];
}

/** An admin may use every wallet; a viewer may send nothing, whatever their wallet grants. */
const mayNotSend = ({ who }: Reader): boolean =>
	/^viewer/.test(who) || !/every|owner|admin/.test(who);

/** Reads all places as all callers, until a response contains one of the secrets. */
async function readAll(
	target: Target,
	readers: readonly Reader[],
	paths: readonly string[],
	hexes: readonly string[]
): Promise<Outcome> {
	const secrets = hexes.flatMap(secretsOf);
	let tries = 0;
	for (const { who, cookie, authorization } of readers) {
		const lists = /^(?:nobody|viewer with none|notary with none|admin with every)$/.test(who);
		for (const path of lists ? [...paths, ...LISTS] : paths) {
			const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
			const answer = await page(target, path, cookie, headers);
			const text = (await answer.text()).toLowerCase();
			tries += 1;
			const leaks = secrets.some((secret) => text.includes(secret));
			if (leaks) return outcome(true, `${who}: ${path}`, tries);
		}
	}
	return outcome(false, 'nothing', tries);
}

interface Made {
	/** The page of the review. */
	path: string;
	hexes: string[];
	discard(): Promise<void>;
}

/** Creates a review through a form. */
async function review(
	target: Target,
	{ cookie }: Person,
	form: string,
	fields: Record<string, string>,
	end: string
): Promise<Made> {
	const made = await postForm(target.url, form, fields, { cookie });
	const text = await made.text();
	const path = made.headers.get('location') ?? '';
	if (path === '')
		throw new Error(
			`${form} made no review: ${(/<main[\s\S]*<\/main>/.exec(text)?.[0] ?? text).replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')}`
		);
	const id = path.split('/').at(-1)!;
	const { db } = target;
	const sends = await db
		.selectFrom('transactions')
		.select('hex')
		.where((where) => where.or([where('id', '=', id), where('follows', '=', id)]))
		.execute();
	const steps = await db
		.selectFrom('migration_steps')
		.select('hex')
		.where('migration', '=', id)
		.where('hex', 'is not', null)
		.execute();
	return {
		path,
		hexes: [...sends, ...steps].map(({ hex }) => hex ?? ''),
		async discard() {
			await postForm(target.url, `${path}?/${end}`, {}, { cookie });
		}
	};
}

const token = (name: string): Record<string, string> => ({
	kind: 'fungible',
	name,
	supply: '1',
	description: '',
	data: ''
});

/**
 * Turns a review into a self-import with the bytes of another one, because the wallet of SELF has no coins
 * here.
 */
async function selfImport({ db }: Target, { path }: Made): Promise<Made> {
	const row = await db
		.selectFrom('transactions')
		.selectAll()
		.where('id', '=', path.split('/').at(-1)!)
		.executeTakeFirstOrThrow();
	const [source, next] = [randomUUID(), randomUUID()];
	const request = '{"kind":"self-import-source","address":"x","amount":{"$bigint":"1"}}';
	const both = { ...row, chain: 'SELF', request } as const;
	await db
		.insertInto('transactions')
		.values([
			{ ...both, id: source, kind: 'self-import-source' },
			{ ...both, id: next, kind: 'self-import', follows: source }
		])
		.execute();
	return {
		path: `/chains/SELF/self-import/${source}`,
		hexes: [row.hex],
		async discard() {
			await db.deleteFrom('transactions').where('id', '=', next).execute();
			await db.deleteFrom('transactions').where('id', '=', source).execute();
		}
	};
}

async function migration(target: Target, owner: Person, proof: string): Promise<Made> {
	const address = await target.devnet.rpc<string>('BETA', 'getnewaddress');
	const fields = { source: 'ALPHA', destination: 'BETA', address, amount: '0.5', proof };
	return review(target, owner, '/migrations/new', { ...fields, policy: 'ask' }, 'discard');
}

export const unsentBytesAttacks: readonly Attack[] = [
	{
		name: 'bytes-of-a-review',
		class: 'information disclosure',
		async run(target) {
			const owner = await target.person('operator');
			const made: Made[] = [];
			try {
				made.push(
					await review(target, owner, '/chains/ALPHA/tokens/new', token('SECRET'), 'discard')
				);
				made.push(await selfImport(target, made[0]!));
				// Only one of them could be sent, but each must be readable.
				await target.db.deleteFrom('locked_utxos').execute();
				made.push(await migration(target, owner, 'notarizations'));
				const paths = made.flatMap(({ path }) => placesOf(path));
				const hexes = made.flatMap((one) => one.hexes);
				if (hexes.length < 3) throw new Error(`Only ${hexes.length} transactions were built.`);
				const { cookie } = owner;
				for (const { path } of made) {
					const { status } = await page(target, path, cookie);
					if (status !== 200) throw new Error(`${path} answered ${status}.`);
				}
				const readers = await readersOf(target, owner);
				return await readAll(target, readers, paths, hexes);
			} finally {
				for (const one of made) await one.discard();
			}
		}
	},
	{
		name: 'bytes-of-an-unknown-send',
		class: 'information disclosure',
		async run(target) {
			const owner = await target.person('operator');
			const one = await review(target, owner, '/chains/ALPHA/tokens/new', token('LOST'), 'discard');
			const id = one.path.split('/').at(-1)!;
			const move = (state: 'reviewed' | 'unknown') =>
				target.db.updateTable('transactions').set({ state }).where('id', '=', id).execute();
			const wallets = createWallets(target.db, target.auth.audit);
			const give = (daemons: string[]) =>
				wallets.set(null, owner.account.id, { every: daemons.length === 0, daemons });
			try {
				await move('unknown');
				const all = await readersOf(target, owner);
				await give(['BETA']);
				const author = { who: 'author without the wallet', cookie: owner.cookie };
				const others = [...all.filter(mayNotSend), author];
				return await readAll(target, others, placesOf(one.path), one.hexes);
			} finally {
				await give([]);
				await move('reviewed');
				await one.discard();
			}
		}
	},
	{
		name: 'bytes-of-a-burn-that-is-in-no-block',
		class: 'information disclosure',
		async run(target) {
			const owner = await target.person('operator');
			const one = await migration(target, owner, 'approvals');
			const id = one.path.split('/').at(-1)!;
			const { burn_txid: txid } = await target.db
				.selectFrom('migrations')
				.select('burn_txid')
				.where('id', '=', id)
				.executeTakeFirstOrThrow();
			const move = (state: 'draft' | 'stuck') =>
				target.db.updateTable('migrations').set({ state }).where('id', '=', id).execute();
			try {
				// Confirmed by a member, and refused by the chain.
				await move('stuck');
				const all = await readersOf(target, owner);
				const others = all.filter(mayNotSend);
				const paths = [
					...placesOf(`/notary-approvals/${txid}`),
					`/notary-approvals/${txid}/approve`,
					`/notary-approvals/${txid}/approve/__data.json`,
					`/api/notary-approvals/${txid}`,
					...placesOf(one.path)
				];
				return await readAll(target, others, paths, one.hexes);
			} finally {
				await move('draft');
				await one.discard();
			}
		}
	}
];
