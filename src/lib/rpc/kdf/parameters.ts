/**
 * The parameters of a trading node's methods, and whether each may be a secret. Forms and lists of past calls read
 * it; what they mean is in `lib/messages/methods`.
 */
import { z } from 'zod';
import { kdfDefinition, type KdfDialect, type KdfMethod } from './index.ts';

/** Members that hold what must be kept nowhere, wherever they stand. */
const SECRET =
	/^(?:user_?action|pin|passphrase|pass(?:word|wd)?|userpass|rpc_?pass(?:word)?|mnemonic|seed|seed_?phrase|wif|priv(?:ate)?_?key|secret|token|api_?key)$/i;

/** True for a member whose value is shown and kept nowhere. */
export const isSecretMember = (name: string): boolean => SECRET.test(name);

/** The kinds of values that a form tells apart. */
export type KdfParamKind = 'text' | 'whole' | 'bool' | 'choice' | 'json';

/** One parameter of a method. */
export interface KdfParam {
	name: string;
	kind: KdfParamKind;
	required: boolean;
	/** Of a choice. */
	words: readonly string[];
	/** It may be a password, a PIN or a key. */
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

/** The parameters of a method as a node of this dialect takes them, those that it needs first. */
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

/** Whoever has the address of a connection can answer in the place of the signer for whom it is. */
const SECRET_ANSWERS: ReadonlySet<KdfMethod> = new Set(['wc_new_connection']);

/** Whether an answer of the method may hold a secret. */
export const mayAnswerSecrets = (method: KdfMethod): boolean => SECRET_ANSWERS.has(method);

/** Whether a call of the method may hold a secret. */
export const mayHoldSecrets = (method: KdfMethod): boolean =>
	kdfParamsOf(method, 'kdf').some(({ secret }) => secret);
