import { TOKEN_VERB, USAGE } from '#lib/messages/commandLine.ts';
import { findByName } from '#lib/server/access/accounts/accounts.ts';
import {
	readAddresses,
	readAmounts,
	readMethods,
	readPlaces,
	readRecipients,
	wordsOf,
	type ReadList
} from '#lib/server/access/api-tokens/limitLists.ts';
import { isRole, ROLES } from '#lib/server/access/identity/roles.ts';
import { AppError } from '#lib/server/platform/errors/appError.ts';
import { DAY_MS } from '#lib/text/units.ts';
import { placesOf } from '../places.ts';
import { readArguments } from '../readArguments.ts';
import type { Verb } from '../verb.ts';
import { withAuth } from '../withAuth.ts';

/**
 * Returns the words in all values of an option, each of which may contain several.
 *
 * @throws {AppError} `usage` for a value without words: an unset variable of a script must not mean "no
 *   limit"
 */
function words(option: string, ...given: readonly (readonly string[] | undefined)[]): string[] {
	return given
		.flatMap((texts) => texts ?? [])
		.flatMap((text) => {
			const found = wordsOf(text);
			if (found.length === 0) throw new AppError('usage.option-empty', { option });
			return found;
		});
}

/** Returns the list that was read. @throws {AppError} `usage` for an invalid value */
function taken<T>(option: string, read: ReadList<T>): readonly T[] | null {
	if ('list' in read) return read.list;
	throw new AppError('usage.value', { option, fault: read.fault });
}

const placesAmong = (given: readonly string[], known: () => readonly string[]): ReadList<string> =>
	readPlaces(given, given.length === 0 ? [] : known());

/** Returns the expiry in Unix milliseconds, null for `never`, undefined when the option is absent. */
function endOfOption(days: string | undefined): number | null | undefined {
	if (days === undefined) return undefined;
	if (days === 'never') return null;
	if (!/^[1-9]\d{0,4}$/.test(days)) throw new AppError('usage.option', { option: 'expires' });
	return Date.now() + Number(days) * DAY_MS;
}

function amountsOfOptions(
	each: readonly string[],
	day: readonly string[],
	chains: () => readonly string[]
) {
	const named = [...each, ...day].some((word) => word.includes('='));
	const read = readAmounts(each, day, named ? chains() : []);
	if ('list' in read) return read.list;
	const { faults } = read;
	throw new AppError('usage.value', {
		option: faults.each === undefined ? 'per-day' : 'per-transaction',
		fault: faults.each ?? faults.day ?? ''
	});
}

const many = { type: 'string', multiple: true } as const;

export const verb: Verb = {
	usage: USAGE.token,
	async run(args, { env, out }) {
		const { values, positionals } = readArguments({
			args,
			options: {
				user: { type: 'string' },
				role: { type: 'string' },
				name: { type: 'string' },
				expires: { type: 'string' },
				days: { type: 'string' },
				method: many,
				methods: many,
				daemon: many,
				daemons: many,
				wallet: many,
				address: many,
				'per-transaction': many,
				'per-day': many,
				recipient: many
			}
		});
		if (positionals.length !== 1 || positionals[0] !== 'create') {
			throw new AppError('usage.form', { form: 'token' });
		}
		const { user, role } = values;
		if (user === undefined) throw new AppError('usage.option', { option: 'user' });
		if (!isRole(role)) throw new AppError('usage.role', { roles: ROLES });
		const expiresAt = endOfOption(values.expires ?? values.days);
		const places = placesOf(env);
		const limits = {
			methods: taken('method', readMethods(words('method', values.method, values.methods))),
			daemons: taken(
				'daemon',
				placesAmong(words('daemon', values.daemon, values.daemons), places.upstreams)
			),
			wallets: taken('wallet', placesAmong(words('wallet', values.wallet), places.wallets)),
			addresses: taken('address', readAddresses(words('address', values.address))),
			amounts: amountsOfOptions(
				words('per-transaction', values['per-transaction']),
				words('per-day', values['per-day']),
				places.chains
			),
			recipients: taken('recipient', readRecipients(words('recipient', values.recipient)))
		};
		await withAuth(env, async (auth, db) => {
			const account = await findByName(db, user);
			if (!account) throw new AppError('usage.account-unknown', { name: user });
			const wanted = {
				account,
				name: values.name ?? 'command line',
				role,
				...limits,
				...(expiresAt === undefined ? {} : { expiresAt })
			};
			const { token } = await auth.tokens.create(wanted, null);
			out(TOKEN_VERB.created(user, role, token));
		});
		return 0;
	}
};
