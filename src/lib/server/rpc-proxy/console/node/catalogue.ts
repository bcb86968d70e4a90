/** The methods of the trading nodes that a person may call, in groups, and the fields of their forms. */
import { stringifyJson } from '#lib/rpc/json.ts';
import type { Access } from '#lib/rpc/method.ts';
import { encodeNodeParams } from '#lib/rpc/node/codec.ts';
import { demands } from '#lib/rpc/node/demands.ts';
import {
	isNodeMethod,
	nodeDefinition,
	nodeExamples,
	nodeMethods,
	type NodeDialect,
	type NodeMethod
} from '#lib/rpc/node/index.ts';
import { nodeParamsOf, type NodeParam } from '#lib/rpc/node/parameters.ts';
import { mayAccess } from '../../../access/policy/permissions.ts';
import type { ActingRole } from '../../../access/policy/roles.ts';
import { ACCESS_WORDS, type ConsoleField } from '../catalogue.ts';

interface NodeEntry {
	/** Key of the registry: two methods of one name differ in their envelope. */
	method: NodeMethod;
	/** Name on the wire. */
	name: string;
	/** The older of two methods of one name. */
	older: boolean;
	summary: string;
	words: string;
	/** It asks for a confirmation before it is called. */
	changes: boolean;
}

interface NodeGroup {
	id: string;
	title: string;
	methods: NodeEntry[];
}

/** Which group a method is in, by its name: the first that fits. */
const GROUPS: readonly (readonly [id: string, title: string, of: RegExp])[] = [
	['node-tasks', 'Trading node: long work', /^task::/],
	['node-events', 'Trading node: events', /^stream::/],
	['node-signers', 'Trading node: signers and devices', /^(?:wc_|trezor_)/],
	['node-messages', 'Trading node: messages', /_message$/],
	[
		'node-coins',
		'Trading node: coins',
		/^(?:enable|electrum|disable_coin|(?:legacy:)?get_enabled)/
	],
	['node-wallet', 'Trading node: the node and its wallet', /./]
];

export const changesSomething = (method: NodeMethod): boolean => !nodeDefinition(method).retry;

/** What an access class means to a person, at a node. */
export const nodeAccessWords = (access: Access): string =>
	access === 'admin' ? 'Changes the node' : ACCESS_WORDS[access];

function entryOf(method: NodeMethod): NodeEntry {
	const { name, summary, access } = nodeDefinition(method);
	return {
		method,
		name,
		older: name !== method,
		summary,
		words: nodeAccessWords(access),
		changes: changesSomething(method)
	};
}

const mayCall = (role: ActingRole, method: NodeMethod): boolean =>
	mayAccess(role, nodeDefinition(method).access, false);

/** The methods that the role may call and that the query names, in groups; empty groups are left out. */
export function nodeCatalogueFor(role: ActingRole, query = ''): NodeGroup[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	const groupOf = (method: string): string => GROUPS.find(([, , of]) => of.test(method))![0];
	const callable = (Object.keys(nodeMethods) as NodeMethod[]).filter((method) =>
		mayCall(role, method)
	);
	return GROUPS.toReversed()
		.map(([id, title]) => ({
			id,
			title,
			methods: callable
				.filter((method) => {
					if (groupOf(method) !== id) return false;
					const names = nodeParamsOf(method, 'kdf').map((param) => param.name);
					const { summary } = nodeDefinition(method);
					const text = [method, summary, title, ...names].join(' ').toLowerCase();
					return words.every((word) => text.includes(word));
				})
				.map(entryOf)
		}))
		.filter(({ methods }) => methods.length > 0);
}

/** The method, when there is one and the role may call it. */
export function callableAtNode(role: ActingRole, key: string): NodeMethod | null {
	return isNodeMethod(key) && mayCall(role, key) ? key : null;
}

export const nodeFieldName = ({ name }: Pick<NodeParam, 'name'>): string => `p.${name}`;

const KIND_WORDS: Readonly<Record<NodeParam['kind'], string>> = {
	text: 'text',
	whole: 'whole number',
	bool: 'true or false',
	choice: 'one of the words',
	json: 'JSON'
};

/** Texts that have several lines. */
const LONG: ReadonlySet<string> = new Set(['message']);

/** The form of a method, field by field. */
export function nodeFieldsOf(method: NodeMethod, dialect: NodeDialect): ConsoleField[] {
	return nodeParamsOf(method, dialect).map((param) => {
		const words = param.kind === 'bool' ? ['true', 'false'] : param.words;
		const long = param.kind === 'json' || LONG.has(param.name);
		const control = words.length > 0 ? 'choice' : long ? 'lines' : 'line';
		return {
			field: nodeFieldName(param),
			name: param.name,
			description: param.description,
			control,
			options: [
				{ value: '', label: param.required ? 'Choose' : 'Left out' },
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

/** The example of a method in the words of a node of this dialect, as JSON text; null when it has none. */
export function nodeExampleOf(method: NodeMethod, dialect: NodeDialect): string | null {
	const [example] = nodeExamples(method);
	if (example === undefined) return null;
	return stringifyJson(encodeNodeParams(method, example, dialect) ?? {});
}

/** What the example would ask of a caller beyond the method itself, in a sentence; null for nothing. */
export function moreThanRole(role: ActingRole, method: NodeMethod): string | null {
	const [example] = nodeExamples(method);
	if (example === undefined || mayAccess(role, 'admin', false)) return null;
	const { servers } = demands(method, example);
	return servers.length === 0
		? null
		: 'Servers that neither the coins file nor an admin’s list has are for admins.';
}
