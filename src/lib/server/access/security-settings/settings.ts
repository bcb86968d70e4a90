/**
 * Settings of admins about how members sign in. Each setting is one entry here, in a section of the page,
 * with its words in `messages/pages/security.ts`; form, store and audit log use the entry.
 */
import { z } from 'zod';

interface Common<Value> {
	/** Parses the stored or typed value. */
	schema: z.ZodType<Value>;
	/** The default. */
	standard: Value;
	/** The value that applies where the stored one is invalid, so that nothing fails open. */
	strictest: Value;
}

interface Choice<Value extends string> extends Common<Value> {
	input: 'choice';
	options: readonly Value[];
}

interface Whole extends Common<number> {
	input: 'whole';
	least: number;
	most: number;
}

interface Text extends Common<string> {
	input: 'text';
}

/** A choice of a few values. */
const choice = <const Options extends readonly [string, ...string[]]>(
	options: Options,
	standard: Options[number],
	strictest: Options[number]
): Choice<Options[number]> => ({
	input: 'choice',
	schema: z.enum(options),
	options,
	standard,
	strictest
});

/** A whole number within bounds. */
const whole = (bounds: {
	least: number;
	most: number;
	standard: number;
	strictest: number;
}): Whole => ({
	input: 'whole',
	schema: z
		.string()
		.trim()
		.regex(/^\d{1,9}$/)
		.transform(Number)
		.pipe(z.number().int().min(bounds.least).max(bounds.most)),
	...bounds
});

/** A name, or empty. */
const text = (most: number): Text => ({
	input: 'text',
	schema: z.string().trim().max(most),
	standard: '',
	strictest: ''
});

const required = choice(['optional', 'required'], 'optional', 'required');

export const SETTINGS = {
	'factor-viewer': required,
	'factor-operator': required,
	'factor-notary': required,
	'factor-admin': required,
	/** Whether API tokens work of members who lack a second factor that their role requires. */
	'factor-tokens': choice(['refused', 'accepted'], 'refused', 'refused'),
	/**
	 * Whether members may log in with credentials of this installation, or by single sign-on alone
	 * (`break-glass`).
	 */
	'local-login': choice(['open', 'break-glass'], 'open', 'break-glass'),
	/** Name of the admin who may log in with a password even then. */
	'break-glass-admin': text(64),
	/** A session ends when it was unused for this many hours, and this many days after the login. */
	'session-idle-hours': whole({ least: 1, most: 720, standard: 12, strictest: 1 }),
	'session-days': whole({ least: 1, most: 90, standard: 7, strictest: 1 }),
	/** Maximum lifetime of a new API token in days, and whether it may be valid until it is revoked. */
	'token-days': whole({ least: 1, most: 3_650, standard: 365, strictest: 1 }),
	'token-endless': choice(['refused', 'allowed'], 'refused', 'refused'),
	/**
	 * Number of other admins who must approve a change of policies, roles, limits and safety controls; 0:
	 * none.
	 */
	'change-approvals': whole({ least: 0, most: 9, standard: 0, strictest: 9 })
} as const satisfies Readonly<Record<string, Choice<string> | Whole | Text>>;

export type SettingName = keyof typeof SETTINGS;

/** The sections of the page, in their order; each is one form. */
export const SECTIONS = {
	'second-factor': [
		'factor-viewer',
		'factor-operator',
		'factor-notary',
		'factor-admin',
		'factor-tokens'
	],
	'local-login': ['local-login', 'break-glass-admin'],
	sessions: ['session-idle-hours', 'session-days'],
	'api-tokens': ['token-days', 'token-endless'],
	/** Shown on the page of the policies. */
	changes: ['change-approvals']
} as const satisfies Readonly<Record<string, readonly SettingName[]>>;

export type SectionName = keyof typeof SECTIONS;

/** The sections on the page of the security settings. */
export const SECURITY_SECTIONS = (Object.keys(SECTIONS) as SectionName[]).filter(
	(name) => name !== 'changes'
);

export const isSection = (name: string): name is SectionName => Object.hasOwn(SECTIONS, name);

/** The value of each setting, by name. */
export type SettingValues = {
	readonly [Name in SettingName]: z.output<(typeof SETTINGS)[Name]['schema']>;
};

export const SETTING_NAMES = Object.keys(SETTINGS) as SettingName[];

export const isSetting = (name: string): name is SettingName => Object.hasOwn(SETTINGS, name);

/** Parses a typed or stored value; null when it is invalid. */
export function readSetting<Name extends SettingName>(
	name: Name,
	typed: string
): SettingValues[Name] | null {
	const schema = SETTINGS[name].schema as z.ZodType<SettingValues[Name]>;
	const { success, data } = schema.safeParse(typed);
	return success ? data : null;
}
