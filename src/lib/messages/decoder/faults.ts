/** Why bytes cannot be decoded, as sentences. */
import type { ExplainFault, ExplainFaultParams } from '#lib/chain/explain/fault.ts';
import { plural } from '#lib/text/plural.ts';
import { chainErrorMessage } from '../chainErrors.ts';
import { labelInSentence } from './labels.ts';

function stops({ label, announced, error }: ExplainFaultParams['stops']): string {
	const like = announced ? 'starts like' : 'reads longest as';
	const name = labelInSentence(label);
	const article = name === 'payouts' ? '' : /^[aio]/.test(name) ? 'an ' : 'a ';
	return `This ${like} ${article}${name}, but makes no sense from byte ${error.params.offset} onward. ${chainErrorMessage(error)}`;
}

/** Explains why a text or a part of it cannot be decoded. */
export function explainFaultMessage({ code, params }: ExplainFault): string {
	switch (code) {
		case 'empty':
			return 'Nothing to decode: paste hex first.';
		case 'not-hex':
			return `This is not hex. ${chainErrorMessage(params.error)}`;
		case 'stops':
			return stops(params);
		case 'hash':
			return 'These 32 bytes are a hash, for example of a transaction or a block. A hash holds nothing to decode: search for it instead.';
		case 'unknown':
			return `Not recognized: ${plural(params.bytes, 'byte')} that are no transaction, block, proof, payload, payouts or script.`;
		case 'part':
			return `Cannot be decoded from byte ${params.from} onward. ${chainErrorMessage(params.error)}`;
		case 'payload':
			return `Starts like a ${labelInSentence(params.label)}, but cannot be decoded as one. ${chainErrorMessage(params.error)}`;
	}
}
