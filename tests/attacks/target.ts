/** The target of the attacks: the application in a separate process, with real small chains. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import { nameKeyOf } from '#lib/server/access/identity/names.ts';
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import { createAuth, type Auth } from '#lib/server/access/requests/auth.ts';
import { work } from '#lib/server/cross-chain/open-work/openWork.ts';
import { openAsIs, type Db } from '#lib/server/database.ts';
import { touch } from '#lib/server/platform/audit-trail/recorded.ts';
import type { Devnet } from '../support/devnet.ts';
import { startMailServer, type MailServer } from '../support/mailServer.ts';
import { launchProduct, type Product } from '../support/product.ts';
import { CLIENT_ID, startForgingIssuer, type ForgingIssuer } from './forgingIssuer.ts';
import type { Order, Report } from './preload.ts';

/** The one private address that deliveries may reach, as listed by an admin. */
export const LISTED_PRIVATE = '127.0.0.2';
const PRELOAD = resolve(import.meta.dirname, 'preload.ts');
export const PASSWORD = 'correct horse battery staple';

/** A member with a session and a token with all rights of the role. */
export interface Person {
	account: Account;
	/** `name=value`. */
	cookie: string;
	token: string;
}

export interface Target {
	url: string;
	/** Root of the program that runs. */
	root: string;
	devnet: Devnet;
	db: Db;
	/** The provider of its single sign-on, which signs whatever an attack requests. */
	issuer: ForgingIssuer;
	/** The mail server of its notices. */
	post: MailServer;
	/** The sign-in code over the same database, like that of another replica. */
	auth: Auth;
	/** A set-up link that has been used. */
	usedSetUpToken: string;
	/** The output that the process has logged so far. */
	log(): string;
	/** Adds a member with a session and a token, with a grant for every wallet unless told otherwise. */
	person(role: Role, wallets?: 'every' | 'none'): Promise<Person>;
	/** Runs a statement on the application's own SQLite connection. */
	sqlite(statement: string): Promise<void>;
	/** Turns these controls off and all others on; only a test build has switches for them. */
	turnOff(...controls: string[]): Promise<void>;
	/** Password verifications since the start. */
	verifications(): Promise<number>;
	/**
	 * A second process with public browsing, over the same database, or over a copy of an SQLite database, which has
	 * one server only. It replaces the one before.
	 */
	publicReplica(): Promise<{ url: string; db: Db }>;
	/** Ends that process, if there is one. */
	endReplica(): Promise<void>;
	stop(): Promise<void>;
}

interface TargetOptions {
	/** Root of the built program. */
	root: string;
	devnet: Devnet;
	db: Db;
	dataDir: string;
	databaseUrl?: string | undefined;
	/** Settings in addition to those of every target. */
	env?: Record<string, string>;
}

let people = 0;
/**
 * Hash of the password that all members have here, at the product's cost, because the product would rehash a
 * cheaper one.
 */
const PASSWORD_HASH =
	'$argon2id$v=19$m=32768,t=3,p=1$DrWHqq9UQCugpbJJmG8cPQ$57F90vTzXbypv3aR7GQRrJs7TKla8iMRUExyCytG44w';

/** Posts a form like one of our pages, unless told otherwise. */
export function postForm(
	base: string,
	path: string,
	fields: Readonly<Record<string, string>> | [name: string, value: string][],
	headers: Record<string, string> = {}
): Promise<Response> {
	return fetch(`${base}${path}`, {
		method: 'POST',
		redirect: 'manual',
		headers: {
			origin: base,
			accept: 'text/html',
			'content-type': 'application/x-www-form-urlencoded',
			...headers
		},
		body: new URLSearchParams(fields)
	});
}

/** The session cookie of a response, `name=value`; empty when it sets none. */
export const cookieOf = (answer: Response): string =>
	answer.headers
		.getSetCookie()
		.map((line) => line.split(';')[0] ?? '')
		.find((pair) => /komodeck_session=.+/.test(pair)) ?? '';

/** Signs in through the form. */
export async function signIn(
	base: string,
	name: string,
	headers: Record<string, string> = {}
): Promise<string> {
	const answer = await postForm(base, '/login', { name, password: PASSWORD, next: '/' }, headers);
	await answer.body?.cancel();
	return cookieOf(answer);
}

/** A process of the application that executes orders. */
type Process = Pick<Product, 'url' | 'log' | 'stop'> & { tell(order: Order): Promise<Report> };

async function launch(options: TargetOptions, more: Record<string, string>): Promise<Process> {
	const { root, devnet, dataDir, databaseUrl } = options;
	const { child, url, log, stop } = await launchProduct({
		root,
		flags: ['--import', PRELOAD],
		env: {
			KOMODECK_DATA: dataDir,
			KOMODO_HOME: devnet.dir,
			KOMODECK_REQUESTS: '2500',
			KOMODECK_CALLS: '4000',
			...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
			...more,
			...options.env
		},
		// Tests search the log for secrets.
		logKept: Number.MAX_SAFE_INTEGER
	});
	return {
		url,
		log,
		stop,
		async tell(order) {
			const answer = once(child, 'message');
			child.send(order);
			return (await answer)[0] as Report;
		}
	};
}

/** Copies a data folder with SQLite, whose server goes on writing. @returns the copy */
function copyOf(dataDir: string): string {
	const copy = mkdtempSync(join(tmpdir(), 'komodeck-replica-'));
	cpSync(dataDir, copy, { recursive: true, filter: (path) => !/\.(?:sqlite|lock)/.test(path) });
	for (const name of readdirSync(dataDir).filter((file) => file.endsWith('.sqlite'))) {
		const database = new SqliteDatabase(join(dataDir, name), { readonly: true });
		database.prepare('vacuum into ?').run(join(copy, name));
		database.close();
	}
	return copy;
}

export async function startTarget(options: TargetOptions): Promise<Target> {
	const { root, devnet, db, dataDir } = options;
	const auth = await createAuth(db, { dataDir, work, publicBrowsing: false });
	const issuer = await startForgingIssuer();
	const post = await startMailServer();
	const signOn = {
		KOMODECK_SIGN_ON_ISSUER: issuer.issuer,
		KOMODECK_SIGN_ON_CLIENT_ID: CLIENT_ID,
		KOMODECK_SIGN_ON_CLIENT_SECRET: 'a secret of the attacks, which no answer may hold',
		KOMODECK_SIGN_ON_ROLE_CLAIM: 'groups',
		KOMODECK_SIGN_ON_ROLES: 'admins=admin,guests=viewer',
		KOMODECK_SIGN_ON_ACCOUNTS: 'first-login'
	};
	const notices = {
		KOMODECK_PRIVATE_SERVERS: LISTED_PRIVATE,
		KOMODECK_SMTP_HOST: post.smtp.host,
		KOMODECK_SMTP_PORT: String(post.smtp.port),
		KOMODECK_SMTP_TLS: post.smtp.tls,
		KOMODECK_MAIL_FROM: post.smtp.from
	};
	const setUpToken = (await auth.setup.createLink()) ?? '';
	const { url, log, tell, stop } = await launch(options, {
		KOMODECK_PUBLIC: '0',
		...signOn,
		...notices
	});
	let off: readonly string[] = [];
	let replica: (Process & { db: Db; remove(): Promise<void> }) | undefined;
	const endReplica = async (): Promise<void> => {
		await replica?.stop();
		await replica?.remove();
		replica = undefined;
	};
	if (setUpToken !== '') {
		const first = { name: 'ada', password: PASSWORD, repeat: PASSWORD };
		const answer = await postForm(url, '/setup', { token: setUpToken, ...first });
		if (answer.status !== 303) throw new Error(`The set-up answered ${answer.status}.`);
	}
	return {
		url,
		root,
		devnet,
		db,
		issuer,
		post,
		auth,
		usedSetUpToken: setUpToken,
		log,
		async person(role, wallets = 'every') {
			people += 1;
			const name = `${role}-${people}`;
			const account: Account = { id: randomUUID(), name, role };
			await db.transaction().execute(async (trx) => {
				await trx
					.insertInto('accounts')
					.values({
						...account,
						name_key: nameKeyOf(name),
						password_hash: PASSWORD_HASH,
						created_at: Date.now()
					})
					.execute();
				touch(trx, 'accounts', [account.id]);
				await auth.audit.append(
					{ actor: 'a test', action: 'account.added', target: name, detail: { role } },
					trx
				);
			});
			if (wallets === 'every') {
				await createWallets(db, auth.audit).set(null, account.id, { every: true, daemons: [] });
			}
			const { token } = await auth.tokens.create({ account, name: 'all', role }, account);
			const session = await auth.sessions.begin(account.id, { address: null, userAgent: null });
			return { account, cookie: `${SESSION_COOKIE}=${session}`, token };
		},
		sqlite: async (statement) => void (await tell({ kind: 'sqlite', statement })),
		async turnOff(...controls) {
			off = controls;
			await tell({ kind: 'off', controls });
			await replica?.tell({ kind: 'off', controls });
		},
		verifications: async () => (await tell({ kind: 'count' })).verifications,
		async publicReplica() {
			await endReplica();
			const isShared = options.databaseUrl !== undefined;
			const folder = isShared ? dataDir : copyOf(dataDir);
			const own = isShared ? db : openAsIs({ dataDir: folder });
			const remove = async (): Promise<void> => {
				if (isShared) return;
				await own.close();
				rmSync(folder, { recursive: true, force: true });
			};
			const begun = await launch({ ...options, dataDir: folder }, { KOMODECK_PUBLIC: '1' });
			replica = { ...begun, db: own, remove };
			await replica.tell({ kind: 'off', controls: off });
			return replica;
		},
		endReplica,
		async stop() {
			await endReplica();
			await stop();
			await issuer.stop();
			await post.stop();
		}
	};
}

/** Calls the RPC API with a token or other headers; the body is sent unchanged. */
export async function call(
	target: Pick<Target, 'url'>,
	token: string | Record<string, string>,
	body: string,
	daemon = 'ALPHA'
): Promise<{ status: number; text: string; headers: Headers }> {
	const headers = typeof token === 'string' ? { authorization: `Bearer ${token}` } : token;
	const answer = await fetch(`${target.url}/api/rpc/${daemon}`, { method: 'POST', headers, body });
	return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** Requests a page like a browser. */
export function page(
	target: Pick<Target, 'url'>,
	path: string,
	cookie = '',
	headers: Record<string, string> = {}
): Promise<Response> {
	return fetch(`${target.url}${path}`, {
		redirect: 'manual',
		headers: { accept: 'text/html', ...(cookie === '' ? {} : { cookie }), ...headers }
	});
}
