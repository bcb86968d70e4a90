/** Meanings of the parts of scripts, keys and conditions. */
import type { ScriptMeanings } from '#lib/chain/explain/meaning.ts';
import { moduleName } from './values.ts';
import type { Words } from './words.ts';

const HASH_TYPES: ReadonlyMap<number, string> = new Map([
	[1, 'all inputs and outputs'],
	[2, 'all inputs and no outputs'],
	[3, 'all inputs and one output'],
	[0x81, 'this input and all outputs'],
	[0x82, 'this input and no outputs'],
	[0x83, 'this input and one output']
]);

function signed(hashType: number): string {
	const what = HASH_TYPES.get(hashType);
	return what ? `signs ${what}` : `has the unknown hash type ${hashType}`;
}

export const SCRIPT_WORDS: Words<ScriptMeanings> = {
	'burn-key': () => 'The burn key: no one can spend what is sent to it.',
	'global-key': () => 'The global key of the tokens module: anyone can sign for it.',
	'invalid-key': () => 'Not a valid public key.',
	'key-address': ({ address }) => `Its address is ${address}.`,
	'hash-address': ({ address }) => `The hash in the address ${address}.`,
	'cut-off': () => 'This push needs more bytes than the script has.',
	'crypto-condition': () =>
		'A crypto-condition: only its contract module decides who can spend it. Coins paid to this address the ordinary way are lost.',
	'pays-address': () => 'Pays to an address (P2PKH).',
	'pays-key': () => 'Pays to a public key (P2PK).',
	'pays-script': () => 'Pays to the hash of a script (P2SH).',
	'pays-multisig': ({ required, keys }) => `Pays to ${required} of ${keys} public keys (multisig).`,
	'empty-script': () => 'An empty script.',
	'unusual-script': () => 'A nonstandard script.',
	'data-output': () => 'Holds data and cannot be spent (OP_RETURN).',
	unsigned: () => 'Empty: this input is not signed.',
	'opens-condition': ({ evals, keys, hashType }) => {
		const modules =
			evals.length === 0 ? 'without a module' : `of ${evals.map(moduleName).join(', ')}`;
		const by = keys.length === 0 ? '' : `, signed by ${keys.join(', ')}`;
		return `Fulfills a crypto-condition ${modules}${by}. The signature ${signed(hashType)}.`;
	},
	signature: ({ hashType }) => `A signature that ${signed(hashType)}.`,
	'pushes-data': () => 'Pushes data, as input scripts do.'
};
