/** The methods of trading nodes that a person may call, in groups, with their form fields. */
import { methodForms as texts } from '#lib/messages/methodForms.ts';
import { kdfParamMessage } from '#lib/messages/methods/kdfParams.ts';
import { kdfSummary } from '#lib/messages/methods/kdfSummaries.ts';
import { stringifyJson } from '#lib/rpc/json.ts';
import type { Access } from '#lib/rpc/method.ts';
import { encodeKdfParams } from '#lib/rpc/kdf/codec.ts';
import { demands } from '#lib/rpc/kdf/demands.ts';
import {
	isKdfMethod,
	kdfDefinition,
	nodeExamples,
	kdfMethods,
	type KdfDialect,
	type KdfMethod
} from '#lib/rpc/kdf/index.ts';
import { kdfParamsOf, type KdfParam } from '#lib/rpc/kdf/parameters.ts';
import { mayAccess } from '../../../access/policy/permissions.ts';
import type { ActingRole } from '../../../access/identity/roles.ts';
import type { ConsoleField } from '../catalogue.ts';

interface KdfEntry {
	/** Key in the registry: two methods with the same name differ in their envelope. */
	method: KdfMethod;
	/** Name on the wire. */
	name: string;
	/** Whether this is the legacy method of two with the same name. */
	older: boolean;
	summary: string;
	words: string;
	/** Whether the page asks for a confirmation before the call. */
	changes: boolean;
}

interface KdfGroup {
	id: string;
	title: string;
	methods: KdfEntry[];
}

/** Groups by pattern of the method's name; the first match wins. */
const GROUPS: readonly (readonly [id: keyof typeof texts.groups, of: RegExp])[] = [
	['node-tasks', /^task::/],
	['node-events', /^stream::/],
	['node-signers', /^(?:wc_|trezor_)/],
	['node-messages', /_message$/],
	['node-coins', /^(?:enable|electrum|disable_coin|set_requir|(?:legacy:)?get_enabled)/],
	['node-wallet', /./]
];

/** Whether a call may not be repeated, because it changes something at the node. */
export const changesSomething = (method: KdfMethod): boolean => !kdfDefinition(method).retry;

/** Describes an access class for people, at a trading node. */
export const kdfAccessWords = (access: Access): string =>
	access === 'admin' ? texts.changesNode : texts.access[access];

function entryOf(method: KdfMethod): KdfEntry {
	const { name, access } = kdfDefinition(method);
	return {
		method,
		name,
		older: name !== method,
		summary: kdfSummary(method),
		words: kdfAccessWords(access),
		changes: changesSomething(method)
	};
}

const mayCall = (role: ActingRole, method: KdfMethod): boolean =>
	mayAccess(role, kdfDefinition(method).access, false);

/** Returns the methods that the role may call and that match the query, in groups; empty groups are left out. */
export function kdfCatalogueFor(role: ActingRole, query = ''): KdfGroup[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const groupOf = (method: string): string => GROUPS.find(([, of]) => of.test(method))![0];
	const callable = (Object.keys(kdfMethods) as KdfMethod[]).filter((method) =>
		mayCall(role, method)
	);
	return GROUPS.toReversed()
		.map(([id]) => ({ id, title: texts.groups[id] }))
		.map(({ id, title }) => ({
			id,
			title,
			methods: callable
				.filter((method) => {
					if (groupOf(method) !== id) return false;
					const names = kdfParamsOf(method, 'kdf').map((param) => param.name);
					const text = [method, kdfSummary(method), title, ...names].join(' ').toLowerCase();
					return words.every((word) => text.includes(word));
				})
				.map(entryOf)
		}))
		.filter(({ methods }) => methods.length > 0);
}

/** Returns the method when it exists and the role may call it, else null. */
export function callableAtNode(role: ActingRole, key: string): KdfMethod | null {
	return isKdfMethod(key) && mayCall(role, key) ? key : null;
}

/** Returns the name of a parameter's form field. */
export const kdfFieldName = ({ name }: Pick<KdfParam, 'name'>): string => `p.${name}`;

const KIND_WORDS: Readonly<Record<KdfParam['kind'], string>> = {
	text: texts.types.text,
	whole: texts.types.whole(null),
	bool: texts.types.bool,
	choice: texts.types.choice,
	json: texts.types.json
};

/** Parameters that are texts of several lines. */
const LONG: ReadonlySet<string> = new Set(['message']);

/** Returns the form fields of a method. */
export function kdfFieldsOf(method: KdfMethod, dialect: KdfDialect): ConsoleField[] {
	return kdfParamsOf(method, dialect).map((param) => {
		const words = param.kind === 'bool' ? ['true', 'false'] : param.words;
		const long = param.kind === 'json' || LONG.has(param.name);
		const control = words.length > 0 ? 'choice' : long ? 'lines' : 'line';
		return {
			field: kdfFieldName(param),
			name: param.name,
			description: kdfParamMessage(method, param.name),
			control,
			options: [
				{ value: '', label: param.required ? texts.choose : texts.omitted(null) },
				...words.map((word) => ({ value: word, label: word }))
			],
			required: param.required,
			default: null,
			type: KIND_WORDS[param.kind],
			maxBytes: null,
			numeric: param.kind === 'whole',
			mono: param.kind === 'json'
		};
	});
}

/** Returns the example of a method in the node's dialect, as JSON text; null when it has none. */
export function kdfExampleOf(method: KdfMethod, dialect: KdfDialect): string | null {
	const [example] = nodeExamples(method);
	if (example === undefined) return null;
	return stringifyJson(encodeKdfParams(method, example, dialect) ?? {});
}

/** Returns a sentence about what the example requires of the caller beyond the method itself; null for nothing. */
export function moreThanRole(role: ActingRole, method: KdfMethod): string | null {
	const [example] = nodeExamples(method);
	if (example === undefined || mayAccess(role, 'admin', false)) return null;
	const { servers } = demands(method, example);
	return servers.length === 0 ? null : texts.serversAreForAdmins;
}
