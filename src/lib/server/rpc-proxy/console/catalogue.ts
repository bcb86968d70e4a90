/** The methods that a person may call, in groups, with their descriptions and form fields. */
import { methodForms as texts } from '#lib/messages/methodForms.ts';
import { daemonParamMessage } from '#lib/messages/methods/daemonParams.ts';
import { daemonSummaries } from '#lib/messages/methods/daemonSummaries.ts';
import { familyTitles } from '#lib/messages/methods/families.ts';
import { methodExamples } from '#lib/rpc/daemon/examples.ts';
import { methodFamilies } from '#lib/rpc/daemon/families.ts';
import { daemonMethods, isDaemonMethod, type DaemonMethod } from '#lib/rpc/daemon/index.ts';
import { paramFacts } from '#lib/rpc/daemon/parameters.ts';
import type { Access, Method } from '#lib/rpc/method.ts';
import type { Param } from '#lib/rpc/types.ts';
import { mayAccess } from '../../access/policy/permissions.ts';
import type { ActingRole } from '../../access/identity/roles.ts';

interface CatalogueEntry {
	name: DaemonMethod;
	summary: string;
	access: Access;
	/** What the access class means. */
	words: string;
	/** Whether the page asks for a confirmation before the call. */
	changes: boolean;
}

interface CatalogueGroup {
	id: string;
	title: string;
	methods: CatalogueEntry[];
}

/** Returns a method with the common type of all methods. */
export const definitionOf = (method: DaemonMethod): Method =>
	daemonMethods[method] as unknown as Method;

function entryOf(name: DaemonMethod): CatalogueEntry {
	const { access, retry } = definitionOf(name);
	return {
		name,
		summary: daemonSummaries[name],
		access,
		words: texts.access[access],
		changes: !retry
	};
}

/** Whether each word occurs in the method's name, summary or parameters, or in the title of its group. */
function matches(name: DaemonMethod, title: string, words: readonly string[]): boolean {
	const names = definitionOf(name).params.map((param) => param.name);
	const text = [name, daemonSummaries[name], title, ...names].join(' ').toLowerCase();
	return words.every((word) => text.includes(word));
}

/** Returns the methods that the role may call and that match the query, in groups; empty groups are left out. */
export function catalogueFor(role: ActingRole, query = ''): CatalogueGroup[] {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean);
	return methodFamilies
		.map(({ id, methods }) => ({ id, title: familyTitles[id], methods }))
		.map(({ id, title, methods }) => ({
			id,
			title,
			methods: methods
				.map(entryOf)
				.filter(({ name, access }) => mayAccess(role, access, false) && matches(name, title, words))
		}))
		.filter(({ methods }) => methods.length > 0);
}

/** Returns the method when it exists and the role may call it, else null. */
export function callable(role: ActingRole, name: string): DaemonMethod | null {
	if (!isDaemonMethod(name)) return null;
	return mayAccess(role, daemonMethods[name].access, false) ? name : null;
}

/** One field of a method's form. */
export interface ConsoleField {
	/** Name of the form field. */
	field: string;
	/** Name of the parameter. */
	name: string;
	description: string;
	control: 'line' | 'lines' | 'password' | 'choice';
	/** The options of a choice. */
	options: { value: string; label: string }[];
	required: boolean;
	/** JSON text of the daemon's default; null for none. */
	default: string | null;
	/** The expected type, in a few words. */
	type: string;
	maxBytes: number | null;
	numeric: boolean;
	mono: boolean;
}

/** Returns the name of a parameter's form field. */
export const fieldName = (param: Param): string => `p.${param.name}`;

function typeWords(param: Param, method: DaemonMethod): string {
	const facts = paramFacts(method, param.name);
	const { min, max } = facts ?? {};
	const range = min === undefined || max === undefined ? null : { min, max };
	const { types } = texts;
	switch (param.kind) {
		case 'string':
			return types[facts?.format ?? 'text'];
		case 'numeric':
			if (param.coins) return types.amount;
			return min === undefined && max === undefined && param.name === 'hashOrHeight'
				? types.heightOrHash
				: types.whole(range);
		case 'integer':
		case 'level':
			return types.whole(range);
		case 'bool':
			return types.bool;
		case 'json':
			return types.json;
	}
}

function choices(param: Param, method: DaemonMethod): string[] | null {
	if (param.kind === 'bool') return ['true', 'false'];
	const { min, max } = paramFacts(method, param.name) ?? {};
	if (param.kind !== 'level' && param.kind !== 'integer') return null;
	if (min !== 0 || max === undefined || max > 4) return null;
	return Array.from({ length: max + 1 }, (_, value) => String(value));
}

function controlOf(param: Param, method: DaemonMethod): ConsoleField['control'] {
	const facts = paramFacts(method, param.name);
	if (facts?.secret) return 'password';
	if (choices(param, method) !== null) return 'choice';
	const long = param.kind === 'json' || facts?.format === 'hex' || param.repeats === true;
	return long ? 'lines' : 'line';
}

/** Returns the form fields of a method. */
export function fieldsOf(method: DaemonMethod): ConsoleField[] {
	return definitionOf(method).params.map((param) => {
		const facts = paramFacts(method, param.name);
		const left = texts.omitted(facts?.default ?? null);
		const type = typeWords(param, method);
		const options = (choices(param, method) ?? []).map((value) => ({ value, label: value }));
		return {
			field: fieldName(param),
			name: param.name,
			description: daemonParamMessage(method, param.name),
			control: controlOf(param, method),
			options: param.optional
				? [{ value: '', label: left }, ...options]
				: [{ value: '', label: texts.choose }, ...options],
			required: !param.optional,
			default: facts?.default ?? null,
			type: param.repeats ? texts.types.repeated(type) : type,
			maxBytes: facts?.maxBytes ?? null,
			numeric: ['numeric', 'integer', 'level'].includes(param.kind),
			mono: param.kind === 'json' || facts?.format !== undefined
		};
	});
}

/** Returns the example of a method as JSON texts; null when it has none. */
export function exampleOf(method: DaemonMethod): { params: string; result: string | null } | null {
	const example = methodExamples[method];
	return example ? { params: example.params, result: example.result ?? null } : null;
}
