/** An attack by a visitor on an installation with public browsing. */
import { routes, type RouteAccess } from '#lib/server/access/policy/routes.ts';
import { createSafetyControls } from '#lib/server/access/policy/safety-controls/safetyControls.ts';
import { lists } from '#lib/server/chains/lists/lists.ts';
import { createAddressBook } from '#lib/server/wallet/address-book/addressBook.ts';
import { outcome, type Attack } from './attack.ts';
import { page, type Target } from './target.ts';

/** Part of every planted text. */
const CANARY = 'canary';
const NAME = `${CANARY}-mallory`;
/** Amount of a draft in satoshi. */
const AMOUNT = 98_765_432_123n;

/** A pattern for a secret text, with or without digit grouping. */
interface Mark {
	what: string;
	text: string | RegExp;
	/** Pages on which the text is chain data. */
	except?: RegExp;
}

const holds = (page: string, { text }: Mark): boolean =>
	typeof text === 'string' ? page.includes(text) : text.test(page);

/**
 * Puts a team's work into the database, like its pages.
 * @returns the id of a migration
 */
async function plant({ db, auth, person }: Target): Promise<string> {
	const { account } = await person('operator');
	await auth.tokens.create({ account, name: `${CANARY}-token`, role: 'viewer' }, account);
	const label = {
		kind: 'chain',
		value: 'ALPHA',
		chain: '',
		label: `${CANARY} label`,
		note: CANARY
	};
	await createAddressBook(db, auth.audit).add(label, ['ALPHA'], NAME);
	const id = `ca${Date.now().toString(16)}`;
	const times = { state_since: 1, created_at: Date.now(), updated_at: Date.now() };
	await db
		.insertInto('migrations')
		.values({
			id,
			path: 'notarized',
			source: 'ALPHA',
			destination: 'BETA',
			ccid: 777,
			policy: 'ask',
			source_daemon: 'ALPHA',
			destination_daemon: 'BETA',
			kmd_daemon: 'KMD',
			fencing_token: 0,
			address: `${CANARY}-address`,
			amount: AMOUNT,
			import_scan_from: 0,
			created_by: NAME,
			state: 'discarded',
			reason: `${CANARY} reason`,
			...times
		})
		.execute();
	await db
		.insertInto('token_drafts')
		.values({
			id,
			chain: 'ALPHA',
			kind: 'fungible',
			name: `${CANARY} draft`,
			supply: '1',
			decimals: '0',
			data: '',
			description: CANARY,
			created_by: NAME,
			written_by: NAME,
			created_at: 1,
			written_at: 1
		})
		.execute();
	await db
		.insertInto('transactions')
		.values({
			id,
			kind: 'token-create',
			chain: 'ALPHA',
			daemon: 'ALPHA',
			pubkey: `02${'ab'.repeat(32)}`,
			txid: 'ca'.repeat(32),
			hex: '',
			state: 'confirmed',
			created_by: NAME,
			created_at: 1,
			request: JSON.stringify({
				kind: 'token-create',
				name: `${CANARY} made`,
				supply: '1',
				data: ''
			}),
			review: '{}',
			expires_at: 1,
			broadcast_at: 1,
			settled_at: 1,
			height: 9_000_000
		})
		.execute();
	return id;
}

async function unplant({ db }: Target, id: string): Promise<void> {
	for (const table of ['transactions', 'token_drafts', 'migrations'] as const) {
		await db.deleteFrom(table).where('id', '=', id).execute();
	}
	await db.deleteFrom('labels').where('note', '=', CANARY).execute();
}

/** Secrets that daemons return about themselves and their wallets. */
async function daemonMarks({ devnet }: Target): Promise<Mark[]> {
	const { daemons } = await devnet.control.state();
	const own = await Promise.all(
		daemons
			.filter(({ id, chain }) => id === chain)
			.map(async ({ chain }) => {
				const info = await devnet.rpc<{ balance: number }>(chain, 'getinfo');
				const satoshi = BigInt(Math.round(info.balance * 1e8));
				const coins = `${satoshi / 100_000_000n}.${String(satoshi % 100_000_000n).padStart(8, '0')}`;
				// The page of an address that holds all coins shows the same sum.
				const except = /address/;
				return [
					{ what: `balance of ${chain}`, text: String(satoshi), except },
					{ what: `balance of ${chain}`, text: coins, except }
				];
			})
	);
	return [
		...own.flat(),
		...devnet.daemons.map(({ url }) => ({
			what: 'address of a daemon',
			// Amounts in examples begin with the same digits.
			text: new RegExp(`:${new URL(url).port}(?!\\d)`)
		}))
	];
}

/** Values for the parameters of routes; a route with a new parameter needs one here. */
async function valuesOf(url: string, id: string): Promise<Record<string, readonly string[]>> {
	const rows = async (path: string): Promise<Record<string, unknown>[]> =>
		((await (await fetch(`${url}${path}`)).json()) as { rows: Record<string, unknown>[] }).rows;
	const first = async (path: string, column: string): Promise<string[]> => {
		const [row] = await rows(path);
		return typeof row?.[column] === 'string' ? [row[column]] : ['00'.repeat(32)];
	};
	const tokenid = await first('/api/v1/chains/ALPHA/tokens', 'tokenid');
	const files = lists.flatMap(({ name }) => [name, `${name}.csv`, `${name}.json`]);
	return {
		chain: ['ALPHA', 'KMD', 'NOWHERE'],
		address: await first('/api/v1/chains/ALPHA/addresses', 'address'),
		tokenid,
		txid: tokenid,
		id: [id, '1', 'ALPHA', 'trading-node'],
		file: files,
		form: ['csv', 'json', 'nothing'],
		'...rest': ['chains', 'transfers', 'chains/ALPHA/tokens', 'nothing'],
		coin: ['KMD'],
		method: ['getinfo'],
		topic: ['migrations', 'nothing']
	};
}

/** Every address of a route. */
function pathsOf(route: string, values: Readonly<Record<string, readonly string[]>>): string[] {
	const name = /\[([^\]]+)\]/.exec(route)?.[1];
	if (name === undefined) return [route];
	const known = values[name];
	if (known === undefined) throw new Error(`Nothing is known for [${name}] of ${route}.`);
	return known.flatMap((value) =>
		pathsOf(
			route.replace(`[${name}]`, name.startsWith('...') ? value : encodeURIComponent(value)),
			values
		)
	);
}

/** The events of a stream while a migration advances and a block is mined. */
async function heard(
	{ devnet }: Target,
	{ url, db }: Awaited<ReturnType<Target['publicReplica']>>,
	id: string
): Promise<string> {
	const stop = new AbortController();
	const answer = await fetch(`${url}/api/events`, { signal: stop.signal });
	const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
	let text = '';
	await db
		.updateTable('migrations')
		.set({ updated_at: Date.now() + 1, state: 'preflight-failed' })
		.where('id', '=', id)
		.execute();
	let mined = false;
	while (!text.includes('event: block')) {
		const { value, done } = await reader.read();
		if (done) break;
		text += value;
		if (!mined) await devnet.control.mine('ALPHA');
		mined = true;
	}
	stop.abort();
	return text;
}

export const visitorAttacks: readonly Attack[] = [
	{
		name: 'visitor-of-a-public-installation',
		class: 'information disclosure',
		async run(target) {
			const id = await plant(target);
			const safetyControls = createSafetyControls(target.db, target.auth.audit);
			await safetyControls.turnOn('freeze', `${CANARY} reason`, NAME);
			const replica = await target.publicReplica();
			try {
				const marks: Mark[] = [
					{ what: 'planted text', text: CANARY },
					{ what: 'amount of a draft', text: String(AMOUNT) },
					{ what: 'amount of a draft', text: '987.65432123' },
					{ what: 'what a wallet holds', text: 'Your balance' },
					// The help has one as an example.
					{ what: 'name of what runs here', text: /\/api\/rpc\/\w/, except: /^\/help/ },
					...(await daemonMarks(target))
				];
				const values = await valuesOf(replica.url, id);
				const table: [string, RouteAccess][] = Object.entries(routes);
				const paths = table
					.filter(([, { GET }]) => GET !== undefined)
					.filter(([route]) => route !== '/api/events')
					.flatMap(([route]) => pathsOf(route, values))
					.flatMap((path) =>
						/^\/api\/|\.(?:csv|json)$/.test(path)
							? [path]
							: [path, `${path === '/' ? '' : path}/__data.json`]
					);
				const found: string[] = [];
				const look = (where: string, text: string): void => {
					const bare = text.replace(/<[^>]*>|[\s,\u2009\u202f]|&[a-z]+;/g, '');
					for (const mark of marks) {
						if (mark.except?.test(where) === true) continue;
						if (holds(text, mark) || holds(bare, mark)) {
							found.push(`${where}: ${mark.what} ${String(mark.text)}`);
						}
					}
					// These pages show no keys: those of blocks and transactions are on other pages.
					const key = /\b0[23][0-9a-f]{64}\b/.exec(text)?.[0];
					if (/^\/(?:ALPHA|KMD)?(?:\/__data\.json)?$/.test(where) && key !== undefined) {
						found.push(`${where}: key ${key}`);
					}
				};
				let next = 0;
				const work = async (): Promise<void> => {
					// One finding is enough.
					for (
						let path = paths[next++];
						path !== undefined && found.length === 0;
						path = paths[next++]
					) {
						look(path, await (await page(replica, path)).text());
					}
				};
				await Promise.all([work(), work(), work()]);
				for (const path of ['/search?q=canar', '/api/search?q=canar']) {
					look(path, await (await page(replica, path)).text());
				}
				const events = await heard(target, replica, id);
				if (events.includes('event: migration')) found.push('an event of a migration');
				return outcome(found.length > 0, found.join('\n'), paths.length + 3);
			} finally {
				await safetyControls.turnOff('freeze', null);
				await unplant(target, id);
			}
		}
	}
];
