/**
 * Lists the parameters of trading node methods and whether each may be a secret. Used by forms and lists of
 * past calls; their descriptions are in `lib/messages/methods`.
 */
import { z } from 'zod';
import { kdfDefinition, type KdfDialect, type KdfMethod } from './index.ts';

/** Names of members, at any depth, whose values must never be stored. */
const SECRET =
	/^(?:user_?action|pin|passphrase|pass(?:word|wd)?|userpass|rpc_?pass(?:word)?|mnemonic|seed|seed_?phrase|wif|priv(?:ate)?_?key|secret|token|api_?key)$/i;

/** True for a member whose value must never be displayed or stored. */
export const isSecretMember = (name: string): boolean => SECRET.test(name);

/** Kinds of values for which forms have different fields. */
export type KdfParamKind = 'text' | 'whole' | 'bool' | 'choice' | 'json';

/** One parameter of a method. */
export interface KdfParam {
	name: string;
	kind: KdfParamKind;
	required: boolean;
	/** The options of a `choice`; otherwise empty. */
	words: readonly string[];
	/** Whether it may be a password, a PIN or a key. */
	secret: boolean;
}

interface Shape {
	type?: string;
	enum?: readonly unknown[];
	anyOf?: readonly Shape[];
	properties?: Readonly<Record<string, Shape>>;
	required?: readonly string[];
}

function kindOf(shape: Shape): Pick<KdfParam, 'kind' | 'words'> {
	const { type, enum: words, anyOf } = shape;
	if (words !== undefined && words.every((word) => typeof word === 'string')) {
		return { kind: 'choice', words: words as readonly string[] };
	}
	if (anyOf !== undefined) return { kind: 'json', words: [] };
	switch (type) {
		case 'string':
			return { kind: 'text', words: [] };
		case 'integer':
			return { kind: 'whole', words: [] };
		case 'boolean':
			return { kind: 'bool', words: [] };
		default:
			return { kind: 'json', words: [] };
	}
}

const known = new Map<string, readonly KdfParam[]>();

/** Returns the parameters of a method in this dialect, required ones first. */
export function kdfParamsOf(method: KdfMethod, dialect: KdfDialect): readonly KdfParam[] {
	const key = `${dialect} ${method}`;
	const before = known.get(key);
	if (before !== undefined) return before;
	const { params } = kdfDefinition(method);
	const shape = z.toJSONSchema(params[dialect], {
		io: 'input',
		target: 'draft-7',
		unrepresentable: 'any'
	}) as Shape;
	const found = Object.entries(shape.properties ?? {}).map(([name, one]) => ({
		name,
		...kindOf(one),
		required: shape.required?.includes(name) ?? false,
		secret: isSecretMember(name)
	}));
	const sorted = found.toSorted((a, b) => Number(b.required) - Number(a.required));
	known.set(key, sorted);
	return sorted;
}

/** The result contains a pairing address: whoever has it can connect in place of the intended signer. */
const SECRET_ANSWERS: ReadonlySet<KdfMethod> = new Set(['wc_new_connection']);

/** Tells whether a response of the method may contain a secret. */
export const mayAnswerSecrets = (method: KdfMethod): boolean => SECRET_ANSWERS.has(method);

/** Tells whether a call of the method may contain a secret. */
export const mayHoldSecrets = (method: KdfMethod): boolean =>
	kdfParamsOf(method, 'kdf').some(({ secret }) => secret);
