/** Texts of the command line: its help, and the result of each command. Errors are in the error catalog. */
import { plural } from '#lib/text/plural.ts';
import { accountStateWords, type AccountState } from './accountStates.ts';
import { ROLE_WORDS } from './roles.ts';
import { SHELL } from './shell.ts';

/** One form of a command, with its description. */
type Usage = readonly (readonly [form: string, meaning: string])[];

/** Beginning and end of the help. */
export const HELP = {
	head: 'Usage: npm run komodeck -- VERB [arguments]',
	foot: [
		'VERB --help shows the forms of one verb.',
		'The environment variables are those of the server, for example',
		'KOMODECK_DATA, DATABASE_URL, KOMODECK_SECRET_KEY, KOMODECK_CONFIG and KOMODO_HOME.'
	],
	unknownVerb: (name: string, verbs: readonly string[]): string =>
		`Unknown verb "${name}". Verbs: ${verbs.join(', ')}.`,
	unwritten: (reason: string): string =>
		`The output could not be written in full (${reason}). What the command does was done all the same.`
} as const;

/** Number of recent migrations that the list shows. */
export const NEWEST_MIGRATIONS = 50;

/** The forms of each command. */
export const USAGE = {
	audit: [
		[
			'audit verify',
			'verifies the audit log and its copy, and compares accounts, wallets, spending limits and API tokens with it'
		],
		[
			'audit confirm',
			'prints accounts, wallets, spending limits and API tokens that differ from the log, and confirms them'
		],
		[
			'audit export [--form csv|json] [--actor N] [--kind K] [--place P] [--outcome O] [--from D] [--to D]',
			'prints matching events, newest first'
		],
		['audit drop --older-than DAYS', 'deletes older segments; their checkpoints stay as proof']
	],
	backup: [
		['backup FILE', 'backs up the database, without the secret key, sessions and one-time links']
	],
	check: [
		[
			'check',
			'checks the settings, every daemon and trading node, single sign-on and the mail server; exit code 1 when a check fails'
		]
	],
	discover: [
		[
			'discover',
			'lists configured and discovered daemons and trading nodes without connecting to them'
		]
	],
	index: [
		['index list', 'shows how far the index of each chain is'],
		[
			'index pause CHAIN, index resume CHAIN',
			'pauses or resumes indexing on all servers; a pause outlives a restart'
		],
		[
			'index reindex CHAIN --from HEIGHT',
			'removes this block and all above it from the index, and reads them again; the running server does it'
		]
	],
	installation: [
		[
			'installation begin',
			'binds the data folder to this database, even when the database is empty or another one'
		]
	],
	kdf: [['kdf confirm ID', 'resumes calls to a trading node after its password was corrected']],
	migration: [
		['migration list', `lists the ${NEWEST_MIGRATIONS} newest migrations`],
		['migration show ID', 'shows the state and history of a migration'],
		['migration export ID', 'prints the recovery file of a migration as JSON'],
		[
			'migration retry ID|all',
			'retries a stopped migration, or all of them; the running server continues it'
		]
	],
	policy: [
		[
			'policy approvals [N]',
			'shows how many other admins approve a change of the policies, or sets it; 0 ends it at once'
		]
	],
	restore: [
		[
			'restore FILE',
			'restores a backup into an empty data folder or database, completely or not at all'
		]
	],
	token: [
		[
			'token create --user NAME --role R [--name TEXT] [--expires DAYS|never] [--address CIDR] [--method M] [--daemon D] [--wallet D] [--per-transaction [CHAIN=]COINS] [--per-day [CHAIN=]COINS] [--recipient ADDRESS]',
			'creates an API token and prints it as the last word; options from --address on are limits, and can be repeated'
		]
	],
	user: [
		[
			'user add NAME --role R [--password-stdin]',
			`creates an account (${Object.keys(ROLE_WORDS).join(', ')}); without --password-stdin it prints a generated password`
		],
		[
			'user invite [NAME] --role R [--wallets all|D,D]',
			'prints an invitation link, with these wallets or none'
		],
		['user reset NAME', 'prints a password-reset link'],
		[
			'user factors NAME [--reset]',
			'shows second factors; --reset removes them and ends the sessions'
		],
		['user role NAME --role R', 'changes the role of an account'],
		['user confirm NAME', 'confirms an account that was changed outside of Komodeck'],
		['user disable NAME, user enable NAME', 'disables or enables an account'],
		[
			'user wallets NAME [all | none | DAEMON …]',
			'sets the wallets of a member; without them it prints the wallets'
		],
		['user list', 'lists all accounts']
	]
} as const satisfies Readonly<Record<string, Usage>>;

/** Says where the previous copy of the audit log was moved. */
const oldCopy = (file: string): string => `The copy of the previous audit log is in ${file}.`;

export const AUDIT_VERB = {
	verified: (events: number): string => `Integrity verified: ${plural(events, 'event')}.`,
	failed: (fault: string): string => `Integrity check failed: ${fault}`,
	matches:
		'Accounts, API tokens, links, wallets, spending limits and safety controls match the log.',
	allMatches: 'Everything matches the log. Nothing was changed.',
	confirmed: (records: number): string => `Confirmed: ${plural(records, 'record')}.`,
	nothingDropped: 'No segment with a checkpoint is that old. Nothing was deleted.',
	dropped: (first: number | bigint, last: number | bigint, events: number): string =>
		`Deleted: segments ${first} to ${last}, ${plural(events, 'event')}. Their checkpoints stay.`,
	unsent: (segment: number): string =>
		`Kept: segment ${segment} and all later ones, because the audit export (KOMODECK_AUDIT_EXPORT) has not sent all of their events yet. Check the destination of the export, then run the command again.`,
	doubted: (days: number): string =>
		`Events are kept ${plural(days, 'day')} longer, because the log shows a time without events: the clock may have been set ahead. If the clock is right, run the command again after a day with events.`
} as const;

export const BACKUP_VERB = {
	done: (file: string, { rows, tables, bytes }: { rows: number; tables: number; bytes: number }) =>
		`Backed up to ${file}: ${plural(rows, 'row')} of ${plural(tables, 'table')}, ${plural(bytes, 'byte')}.`,
	notIn:
		'Not in the backup: the secret key (secret.key in the data folder, or KOMODECK_SECRET_KEY) and the passwords of daemons. Keep them separately.'
} as const;

export const RESTORE_VERB = {
	done: ({ rows, tables, madeAt }: { rows: number; tables: number; madeAt: string }): string =>
		`Restored: ${plural(rows, 'row')} of ${plural(tables, 'table')}, backed up ${madeAt}.`,
	oldCopy,
	revoked: 'All sessions, invitations and password-reset links are revoked. Members log in again.',
	tokens: (n: number): string => `API tokens revoked: ${n}. Create new ones where they are needed.`,
	webhooks: (n: number): string =>
		`Webhooks disabled: ${n}. Enable those that are still good on the page Webhooks and export.`,
	addresses: (n: number): string =>
		`Email addresses of members removed: ${n}. Each member enters theirs again under Notification settings.`,
	decided: (n: number): string =>
		`Policies, spending limits, security settings and used recovery codes that are as before the restore, not as in the backup: ${n}.`,
	uncounted:
		'What was sent after the backup no longer counts toward spending limits and policies, so as much may be sent once more. To prevent that, turn on a safety control or lower the limits.',
	control: (name: keyof typeof SHELL.controls): string =>
		`${SHELL.controls[name]}, as before the restore.`,
	unknown:
		'Changes of accounts after the backup are unknown, so every account except admins needs confirmation.',
	toConfirm: (name: string, backup: AccountState, lastKnown: AccountState | null): string =>
		`To confirm: ${name}. In the backup: ${accountStateWords(backup)}${lastKnown === null ? '' : `; last known: ${accountStateWords(lastKnown)}`}.`,
	howToConfirm:
		'These accounts stay disabled until an admin confirms each on the Members page, or here with "user enable NAME".',
	missing: (names: readonly string[]): string =>
		`Not in the backup: ${names.join(', ')}. Invite them again.`,
	admins: (names: readonly string[]): string =>
		names.length === 0
			? 'No admin can log in: confirm one with "user enable NAME".'
			: `Admins who can log in: ${names.join(', ')}. Disable former admins with "user disable NAME".`,
	stopped: (n: number): string =>
		`Batch transfers stopped: ${n}. Transfers that were sent after the backup are not in it: check what the recipients hold before you resume.`,
	doubted: (n: number): string =>
		`Transactions that may have been sent after the backup: ${n}. Their state is unknown until their chain was asked.`,
	burns: (n: number): string =>
		`Migrations whose burn may have been sent after the backup: ${n}. Confirming or discarding one looks for its burn first.`,
	auditFailed: (fault: string): string =>
		`The audit log of the backup failed its integrity check: ${fault}`
} as const;

export const INDEX_VERB = {
	none: 'No chain is indexed yet.',
	paused: 'paused',
	/** For an unknown rate or remaining time. */
	unknown: '-',
	done: {
		pause: (chain: string): string => `${chain}: indexing is paused.`,
		resume: (chain: string): string => `${chain}: indexing is resumed.`
	},
	unchanged: {
		pause: (chain: string): string => `${chain}: was paused already. Nothing was changed.`,
		resume: (chain: string): string => `${chain}: was not paused. Nothing was changed.`
	},
	reindexed: (chain: string, from: number, paused: boolean): string =>
		`${chain}: blocks from ${from} on are read again${paused ? ' once indexing is resumed' : ''}.`
} as const;

export const INSTALLATION_VERB = {
	begun: (folder: string): string => `The data folder ${folder} now belongs to this database.`,
	oldCopy
} as const;

/** Column headings of tables, in order; scripts split lines by them. */
export const TABLE_HEADS = {
	check: 'DAEMON ADDRESS STATE CHAIN CCID VERSION HEIGHT PUBKEY CAN PROBLEM'.split(' '),
	indexes: 'DAEMON INDEX STATE MEANING'.split(' '),
	nodes: 'NODE ADDRESS STATE VERSION DIALECT COINS PROBLEM'.split(' '),
	foundDaemons: ['DAEMON', 'CHAIN', 'ADDRESS', 'PURPOSES', 'LOGIN FROM'],
	foundNodes: ['NODE', 'ADDRESS', 'PASSWORD FROM'],
	migrations: ['id', 'route', 'amount', 'state'],
	index: ['CHAIN', 'STATE', 'INDEXED', 'NEWEST', 'PER SECOND', 'LEFT', 'PROBLEM']
} as const;

export const CHECK_VERB = {
	/** Single sign-on. */
	signOn: {
		accepted: (issuer: string): string =>
			`Single sign-on: ${issuer} answers and accepts this client.`,
		reached: (issuer: string): string =>
			`Single sign-on: ${issuer} answers; whether it accepts this client shows at the first login.`,
		refused: (issuer: string): string =>
			`Single sign-on: ${issuer} refuses this client. Compare the client id and the secret with those of the provider.`,
		unreachable: (issuer: string): string =>
			`Single sign-on: the discovery of ${issuer} cannot be read, or names another issuer.`
	},
	redirectUri: (uri: string): string => `Redirect URI to register at the provider: ${uri}`,
	noFolder: (dir: string): string =>
		`${dir} cannot be the data folder: nothing can be stored on its file system.`,
	none: (home: string): string => `No daemon is configured, and none was found in ${home}.`,
	mail: (host: string, port: number): string => `Mail server ${host}:${port}: login works.`,
	noMail: (host: string, port: number): string =>
		`Mail server ${host}:${port}: no connection, or the login was refused. Check the KOMODECK_SMTP settings.`
} as const;

export const DISCOVER_VERB = {
	none: (home: string): string => `No daemon was found in ${home}. "npm start" starts devnet.`,
	nodeLogin: { password: 'settings', mm2: 'MM2.json' },
	login: { password: 'settings', cookie: 'cookie file', conf: '.conf file' }
} as const;

export const KDF_VERB = {
	unknown: (id: string, known: readonly string[]): string =>
		`There is no trading node "${id}". Configured: ${known.join(', ') || 'none'}.`,
	resumed: (id: string): string => `${id} accepts the password. Calls are resumed.`,
	state: (id: string, state: string, reason: string | null): string =>
		`${id} is ${state}.${reason === null ? '' : ` ${reason}`}`
} as const;

export const MIGRATION_VERB = {
	none: 'No migrations yet.',
	unknown: (id: string): string => `There is no migration ${id}.`,
	route: (source: string, destination: string): string => `${source} to ${destination}`,
	units: (n: bigint): string => plural(n, 'base unit'),
	/** @param ticker ticker of the coin; a token is identified by its id */
	coins: (amount: string, ticker: string): string => `${amount} ${ticker}`,
	token: (n: bigint, tokenid: string): string => `${plural(n, 'base unit')} of ${tokenid}`,
	from: (what: string, source: string, destination: string): string =>
		`${what} from ${source} to ${destination}`,
	to: (address: string): string => `for ${address}`,
	times: (n: number): string => (n === 1 ? '' : ` (${n} times)`),
	resumed: (id: string): string => `${id}: resumed.`,
	notStopped: (id: string, state: string): string =>
		`${id}: not stopped (${state}). Nothing was changed.`,
	retried: (n: number): string => `Migrations retried: ${n}.`
} as const;

export const TOKEN_VERB = {
	/** Scripts parse the last word of the line. */
	created: (member: string, role: string, token: string): string =>
		`API token of ${member}, role ${role}, shown only once: ${token}`
} as const;

export const POLICY_VERB = {
	approvals: (needed: number): string =>
		needed === 0
			? 'Changes take effect at once.'
			: `Changes need the approval of ${plural(needed, 'other admin')}.`
} as const;

export const USER_VERB = {
	none: 'No accounts yet.',
	created: (name: string, role: string): string => `Account ${name} created, role ${role}.`,
	noWallet: (name: string): string =>
		`${name} has no wallet yet: grant wallets with "user wallets ${name}".`,
	password: (password: string): string => `Password: ${password}`,
	disabledMark: ' disabled',
	wallets: (name: string, { every, daemons }: { every: boolean; daemons: readonly string[] }) =>
		`Wallets of ${name}: ${every ? 'every wallet' : daemons.length === 0 ? 'no wallet' : daemons.join(', ')}.`,
	role: (name: string, role: string): string => `${name} is ${role} now.`,
	disabled: (name: string): string => `${name} is disabled: sessions ended, API tokens revoked.`,
	enabled: (name: string): string => `${name} can log in again.`,
	confirmed: (name: string, role: string): string => `Account ${name} confirmed, role ${role}.`,
	reset: (name: string): string => `Password-reset link of ${name}, valid for 1 day, works once:`,
	factor: (kind: 'totp' | 'passkey', name: string, since: string): string =>
		`${kind === 'totp' ? 'app' : 'passkey'}  ${since}  ${name}`,
	factors: (name: string, count: number, codesLeft: number, required: boolean): string =>
		count === 0
			? `${name} has no second factor${required ? ', although the role requires one' : ''}.`
			: `${plural(count, 'second factor')} of ${name}, ${plural(codesLeft, 'unused recovery code')}.`,
	factorsReset: (name: string, count: number): string =>
		`${plural(count, 'second factor')} of ${name} removed. Recovery codes are void, sessions ended.`,
	invitation: (role: string): string =>
		`Invitation for the role ${role}, valid for 7 days, works once:`
} as const;

/** Texts of `npm run contract`, which checks recorded responses against the method registry. */
export const CONTRACT = {
	usage: 'Name one folder with fixtures: npm run contract -- DIR',
	unreadable: (folder: string, reason: string): string =>
		`The folder ${folder} cannot be read (${reason}).`,
	summary: (fitting: number, mismatching: number, notes: number): string =>
		`${fitting} fixtures fit, ${mismatching} do not${notes > 0 ? `, ${plural(notes, 'note')} passed over` : ''}`
} as const;
