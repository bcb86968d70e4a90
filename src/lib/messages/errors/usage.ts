import { ACCOUNT } from '../pages/account.ts';
import { withStatus, type ErrorArea } from './define.ts';

/** Correct usage, by command. */
const FORMS = {
	migration: 'Say "migration list", or "show", "export" or "retry" and one id.',
	restore: 'Say "restore" and the name of a file.',
	backup: 'Say "backup" and the name of a file.',
	audit: 'Say "audit verify", "audit confirm", "audit export" or "audit drop".',
	'audit-word': 'Say "audit" and one word.',
	'user-list': 'Say "user list" alone.',
	'user-wallets': 'Say "user wallets", one name, and all, none or names of daemons to set them.',
	'user-invite': 'Say "user invite" and at most one name.',
	installation: 'Say "installation begin".',
	token: 'Say "token create".',
	index:
		'Say "index list", "index pause CHAIN", "index resume CHAIN" or "index reindex CHAIN --from HEIGHT".',
	kdf: 'Say "kdf confirm ID".',
	policy: 'Say "policy approvals", and a whole number from 0 to 9 to set it.'
} as const;

const OPTIONS = {
	'audit-form': 'Say --form csv or --form json.',
	'older-than': 'Say --older-than with a whole number of days.',
	expires: 'Say --expires with a whole number of days, or never.',
	user: 'Say --user with the name of an account.',
	wallets: 'Say --wallets with all, none, or names of daemons between commas.'
} as const;

/** Invalid arguments of the command line. */
export const usage = {
	...withStatus(400, {
		'usage.form': ({ form }: { form: keyof typeof FORMS }) => FORMS[form],
		'usage.option': ({ option }: { option: keyof typeof OPTIONS }) => OPTIONS[option],
		'usage.value': ({ option, fault }: { option: string; fault: string }) =>
			`--${option}: ${fault}`,
		'usage.option-empty': ({ option }: { option: string }) =>
			`--${option} is empty. Say what it limits to, or leave it out.`,
		'usage.option-unknown': ({ option }: { option: string }) =>
			`There is no option ${option}. Nothing was done.`,
		'usage.option-value': ({ option }: { option: string }) =>
			`--${option} lacks its value. Nothing was done.`,
		'usage.option-without-value': ({ option }: { option: string }) =>
			`--${option} takes no value. Nothing was done.`,
		'usage.option-twice': ({ option }: { option: string }) =>
			`Say --${option} once. Nothing was done.`,
		'usage.option-of-another': ({ act, option }: { act: string; option: string }) =>
			`"${act}" takes no --${option}. Nothing was done.`,
		'usage.role': ({ roles }: { roles: readonly string[] }) =>
			`Say --role with one of: ${roles.join(', ')}.`,
		'usage.user-act': ({ acts }: { acts: readonly string[] }) =>
			`Say "user" and one of: ${acts.join(', ')}.`,
		'usage.one-name': ({ act }: { act: string }) => `Say "user ${act}" and one name.`,
		'usage.word-alone': ({ word }: { word: string }) => `Say "${word}" alone, or name daemons.`,
		'usage.daemon-unknown': ({ daemon, known }: { daemon: string; known: readonly string[] }) =>
			ACCOUNT.tokens.faults.daemon(daemon, known),
		'usage.no-arguments': () => 'The verb takes no arguments.',
		'usage.file-missing': ({ file }: { file: string }) => `There is no file ${file}.`,
		'usage.account-unknown': ({ name }: { name: string }) => `There is no account named ${name}.`
	})
} satisfies ErrorArea<'usage'>;
