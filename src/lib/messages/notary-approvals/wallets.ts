/** Why a wallet cannot be used for an approval. */
import { z } from 'zod';
import { catalogueOf, entry, type MessageOf } from '../catalogue.ts';

const chain = z.string();
const daemon = z.string();

const PROBLEMS = {
	'wallet.offline': entry({ daemon }, ({ daemon }) => `${daemon} is offline.`),
	'wallet.no-pubkey': entry(
		{ daemon },
		({ daemon }) => `${daemon} runs without a public key (-pubkey).`
	),
	'wallet.no-notary': entry(
		{ daemon, chain },
		({ daemon, chain }) =>
			`The key of ${daemon} is not a notary of ${chain}: its approval would not count.`
	),
	'wallet.approved': entry({}, () => 'This notary has already approved the burn.'),
	'wallet.other': entry(
		{ daemon, chain },
		({ daemon, chain }) => `${daemon} is not a notary’s daemon of ${chain}.`
	),
	'notaries.unknown': entry(
		{ chain },
		({ chain }) => `The notaries of ${chain} are unknown right now.`
	),
	'burn.checks': entry({}, () => 'The burn failed a check. Nothing was built.')
} as const;

export type WalletProblem = MessageOf<typeof PROBLEMS>;

export const walletProblems = catalogueOf(PROBLEMS);
