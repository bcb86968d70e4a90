import { USAGE, USER_VERB } from '#lib/messages/commandLine.ts';
import { randomBytes } from 'node:crypto';
import { findByName } from '#lib/server/access/accounts/accounts.ts';
import { checkName } from '#lib/server/access/identity/names.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import { isRole, ROLES, type Role } from '#lib/server/access/identity/roles.ts';
import type { WalletChoice } from '#lib/server/access/policy/wallets/choice.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { Db } from '#lib/server/database.ts';
import { DEFAULTS } from '#lib/server/platform/config/settings.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { ownOptions } from '../ownOptions.ts';
import { placesOf } from '../places.ts';
import { readArguments } from '../readArguments.ts';
import type { CliContext, Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

/** Arguments of one subcommand. */
interface Given {
	/** Names after the subcommand. */
	names: readonly string[];
	role: string | undefined;
	/** `all`, `none`, or daemon ids separated by commas. */
	wallets: string | undefined;
	passwordFromInput: boolean;
	/** `factors`: removes the second factors. */
	reset: boolean;
}

type Act = (given: Given, auth: Auth, db: Db, context: CliContext) => Promise<void>;

function oneName({ names }: Given, act: string): string {
	const [name, ...more] = names;
	if (name === undefined || more.length > 0) throw new AppError('usage.one-name', { act });
	return name;
}

function wantedRole({ role }: Given): Role {
	if (!isRole(role)) throw new AppError('usage.role', { roles: ROLES });
	return role;
}

async function account(db: Db, name: string): Promise<Account> {
	const found = await findByName(db, name);
	if (!found) throw new AppError('usage.account-unknown', { name });
	return found;
}

/** Returns an absolute link; without a configured origin one to a server on this machine. */
const link = (env: NodeJS.ProcessEnv, path: string): string =>
	new URL(path, env['KOMODECK_ORIGIN'] || `http://localhost:${env['PORT'] || DEFAULTS.PORT}`).href;

async function add(
	given: Given,
	auth: Auth,
	_db: Db,
	{ out, readLine }: CliContext
): Promise<void> {
	const name = oneName(given, 'add');
	const role = wantedRole(given);
	const madeUp = randomBytes(15).toString('base64url');
	const password = given.passwordFromInput ? await readLine() : madeUp;
	await auth.members.add({ name, role, password });
	out(USER_VERB.created(name, role));
	if (role === 'operator' || role === 'notary') {
		out(USER_VERB.noWallet(name));
	}
	if (password === madeUp) out(USER_VERB.password(madeUp));
}

async function list(given: Given, auth: Auth, _db: Db, { out }: CliContext): Promise<void> {
	if (given.names.length > 0) throw new AppError('usage.form', { form: 'user-list' });
	const members = await auth.members.list();
	if (members.length === 0) out(USER_VERB.none);
	for (const { name, role, disabledAt } of members) {
		out(
			`${name.padEnd(24)} ${role.padEnd(9)}${disabledAt === null ? '' : USER_VERB.disabledMark}`.trimEnd()
		);
	}
}

/**
 * Parses a selection of wallets: `all`, `none`, or daemon ids separated by commas.
 *
 * @param known returns the ids of configured daemons
 * @throws {AppError} `usage`; `wrong` for an empty id
 */
function choiceOf(words: string, known: () => readonly string[], wrong: AppError): WalletChoice {
	const daemons = words.split(',').map((word) => word.trim());
	if (words === 'all') return { every: true, daemons: [] };
	if (words === 'none') return { every: false, daemons: [] };
	const alone = daemons.find((word) => word === 'all' || word === 'none');
	if (alone !== undefined) throw new AppError('usage.word-alone', { word: alone });
	if (daemons.includes('') || daemons.includes('*')) throw wrong;
	const configured = known();
	const stranger = daemons.find((daemon) => !configured.includes(daemon));
	if (stranger !== undefined) {
		throw new AppError('usage.daemon-unknown', { daemon: stranger, known: configured });
	}
	return { every: false, daemons };
}

/** Shows or changes the wallets that a member may use. */
async function walletsOf(
	given: Given,
	auth: Auth,
	db: Db,
	{ out, env }: CliContext
): Promise<void> {
	const [who, ...asked] = given.names;
	const { id, name } = await account(db, oneName({ ...given, names: who ? [who] : [] }, 'wallets'));
	const wallets = createWallets(db, auth.audit);
	if (asked.length > 0) {
		const wrong = new AppError('usage.form', { form: 'user-wallets' });
		await wallets.set(null, id, choiceOf(asked.join(','), placesOf(env).wallets, wrong));
	}
	out(USER_VERB.wallets(name, await wallets.choiceOf(id)));
}

const ACTS: Readonly<Record<string, Act>> = {
	add,
	list,
	wallets: walletsOf,
	async role(given, auth, db, { out }) {
		const { id, name } = await account(db, oneName(given, 'role'));
		const role = wantedRole(given);
		await auth.members.setRole(null, id, role);
		out(USER_VERB.role(name, role));
	},
	async disable(given, auth, db, { out }) {
		const { id, name } = await account(db, oneName(given, 'disable'));
		await auth.members.disable(null, id);
		out(USER_VERB.disabled(name));
	},
	async enable(given, auth, db, { out }) {
		const { id, name } = await account(db, oneName(given, 'enable'));
		await auth.members.enable(null, id);
		out(USER_VERB.enabled(name));
	},
	async confirm(given, auth, db, { out }) {
		const { id, name, role } = await account(db, oneName(given, 'confirm'));
		await auth.members.confirm(null, id);
		out(USER_VERB.confirmed(name, role));
	},
	async reset(given, auth, db, { out, env }) {
		const { id, name } = await account(db, oneName(given, 'reset'));
		const { token } = await auth.links.reset(null, id);
		out(USER_VERB.reset(name));
		out(link(env, `/join?token=${token}`));
	},
	async factors(given, auth, db, { out }) {
		const found = await account(db, oneName(given, 'factors'));
		if (given.reset) {
			out(USER_VERB.factorsReset(found.name, (await auth.factors.reset(null, found.id)).done ?? 0));
			return;
		}
		const { factors, codesLeft, required } = await auth.factors.of(found);
		for (const { kind, name, createdAt } of factors) {
			out(USER_VERB.factor(kind, name, new Date(createdAt).toISOString().slice(0, 10)));
		}
		out(USER_VERB.factors(found.name, factors.length, codesLeft, required));
	},
	async invite(given, auth, _db, { out, env }) {
		const [name] = given.names;
		if (given.names.length > 1) throw new AppError('usage.form', { form: 'user-invite' });
		const role = wantedRole(given);
		const { token } = await auth.links.invite(null, {
			role,
			// An empty name is a mistake of a script, not an invitation that leaves the name open.
			...(name === undefined ? {} : { name: checkName(name) }),
			wallets: choiceOf(
				given.wallets ?? 'none',
				placesOf(env).wallets,
				new AppError('usage.option', { option: 'wallets' })
			)
		});
		out(USER_VERB.invitation(role));
		out(link(env, `/join?token=${token}`));
	}
};

/** Options of each subcommand that has any. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
	add: ['role', 'password-stdin'],
	invite: ['role', 'wallets'],
	role: ['role'],
	factors: ['reset']
};

export const verb: Verb = {
	usage: USAGE.user,
	async run(args, context) {
		const { values, positionals } = readArguments({
			args,
			options: {
				role: { type: 'string' },
				wallets: { type: 'string' },
				'password-stdin': { type: 'boolean' },
				reset: { type: 'boolean' }
			}
		});
		const [act = '', ...names] = positionals;
		const run = Object.hasOwn(ACTS, act) ? ACTS[act] : undefined;
		if (run === undefined) {
			throw new AppError('usage.user-act', { acts: Object.keys(ACTS) });
		}
		ownOptions(`user ${act}`, values, OPTIONS[act] ?? []);
		const given: Given = {
			names,
			role: values.role,
			wallets: values.wallets,
			passwordFromInput: values['password-stdin'] ?? false,
			reset: values.reset ?? false
		};
		const mayBeNew = act === 'add' || act === 'invite';
		await withAuth(context.env, (auth, db) => run(given, auth, db, context), { mayBeNew });
		return 0;
	}
};
