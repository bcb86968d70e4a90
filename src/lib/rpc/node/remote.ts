/** Remote signers, the hardware wallet's connection, and streams of events. */
import { z } from 'zod';
import { bool, list, object, text } from '../types.ts';
import { named, v2 } from './method.ts';
import { count, json, num, ticker } from './types.ts';

const namespace = object({ chains: list(text), methods: list(text), events: list(text) });
/** By the name of the namespace, with which each of its chains begins: `eip155:1`. */
const namespaces = z
	.record(z.string(), namespace)
	.refine(
		(all) =>
			Object.entries(all).every(([name, { chains }]) =>
				chains.every((chain) => chain.startsWith(`${name}:`))
			),
		'expected chains of the namespace'
	);

/** A session as the signing application agreed to it. */
const session = object({
	topic: text,
	metadata: json,
	pairing_topic: text,
	namespaces: json,
	expiry: count
});

const topic = object({ topic: text });
const example = { topic: '3569914dd09a5cc4ac92dedab354f06ff5db17ef616233a8ba562cbea51269fd' };

export const remoteMethods = named({
	wc_new_connection: v2({
		summary: 'Ask for a connection to a remote signer; the answer is what its application scans',
		access: 'admin',
		params: object({
			required_namespaces: namespaces,
			optional_namespaces: namespaces.optional()
		}),
		result: object({ url: text, pairing_topic: text.optional() }),
		examples: [
			{
				required_namespaces: {
					eip155: {
						chains: ['eip155:1'],
						methods: ['eth_sendTransaction', 'eth_signTransaction', 'personal_sign'],
						events: ['accountsChanged', 'chainChanged']
					}
				}
			}
		]
	}),
	wc_get_sessions: v2({
		summary: 'Connections to remote signers',
		access: 'activate',
		retry: true,
		deadline: 'read',
		params: object({}),
		result: object({ sessions: list(session) }),
		examples: [{}]
	}),
	wc_get_session: v2({
		summary: 'One connection to a remote signer',
		access: 'activate',
		retry: true,
		deadline: 'read',
		params: object({ topic: text, with_pairing_topic: bool.optional() }),
		result: object({ session: z.nullable(session) }),
		examples: [example]
	}),
	wc_delete_session: v2({
		summary: 'End a connection to a remote signer',
		access: 'admin',
		params: topic,
		result: object({}),
		examples: [example]
	}),
	wc_ping_session: v2({
		summary: 'Ask a remote signer whether it is there',
		access: 'activate',
		params: topic,
		result: object({ result: text }),
		examples: [example]
	}),
	trezor_connection_status: v2({
		summary: 'Whether the hardware wallet is connected',
		access: 'read',
		params: object({ device_pubkey: text.optional() }),
		result: object({ status: z.enum(['Connected', 'Unreachable']) }),
		examples: [{}]
	}),
	'stream::balance::enable': v2({
		summary: 'Send changes of a coin’s balance to a listener',
		access: 'admin',
		params: object({
			coin: ticker,
			config: object({ stream_interval_seconds: num }).optional(),
			client_id: count.optional()
		}),
		result: object({ streamer_id: text }),
		examples: [{ coin: 'MATIC', config: { stream_interval_seconds: 15 }, client_id: 1 }]
	}),
	'stream::disable': v2({
		summary: 'End a stream of events',
		access: 'admin',
		params: object({ streamer_id: text, client_id: count.optional() }),
		result: object({ result: z.literal('Success') }),
		examples: [{ streamer_id: 'BALANCE:KMD', client_id: 1 }]
	})
});
