/** Methods for remote signers, the hardware wallet's connection, and event streams. */
import { z } from 'zod';
import { JsonNumber } from '../json.ts';
import { bool, list, object, text } from '../types.ts';
import { named, v2 } from './method.ts';
import { count, json, num, ticker } from './types.ts';

const namespace = object({ chains: list(text), methods: list(text), events: list(text) });
/** Namespaces by name, which is also the prefix of each of their chains: `eip155:1`. */
const namespaces = z
	.record(z.string(), namespace)
	.refine(
		(all) =>
			Object.entries(all).every(([name, { chains }]) =>
				chains.every((chain) => chain.startsWith(`${name}:`))
			),
		'expected chains of the namespace'
	);

/** A session as agreed with the remote signer. */
const session = object({
	topic: text,
	metadata: json,
	pairing_topic: text,
	namespaces: json,
	expiry: count
});

const topic = object({ topic: text });
const example = { topic: '3569914dd09a5cc4ac92dedab354f06ff5db17ef616233a8ba562cbea51269fd' };

/** Receiver of the events: a connected listener of the event stream; 0 when omitted. */
const listener = { client_id: count.optional() };
const interval = object({
	stream_interval_seconds: num.optional(),
	always_send: bool.optional()
});
const streamer = object({ streamer_id: text });

export const remoteMethods = named({
	wc_new_connection: v2({
		access: 'admin',
		signs: false,
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
		access: 'activate',
		signs: false,
		retry: true,
		deadline: 'read',
		params: object({}),
		result: object({ sessions: list(session) }),
		examples: [{}]
	}),
	wc_get_session: v2({
		access: 'activate',
		signs: false,
		retry: true,
		deadline: 'read',
		params: object({ topic: text, with_pairing_topic: bool.optional() }),
		result: object({ session: z.nullable(session) }),
		examples: [example]
	}),
	wc_delete_session: v2({
		access: 'admin',
		signs: false,
		params: topic,
		result: object({}),
		examples: [example]
	}),
	wc_ping_session: v2({
		access: 'activate',
		signs: false,
		params: topic,
		result: object({ result: text }),
		examples: [example]
	}),
	trezor_connection_status: v2({
		access: 'read',
		params: object({ device_pubkey: text.optional() }),
		result: object({ status: z.enum(['Connected', 'Unreachable']) }),
		examples: [{}]
	}),
	'stream::balance::enable': v2({
		access: 'admin',
		signs: false,
		params: object({
			coin: ticker,
			config: object({ stream_interval_seconds: num }).optional(),
			...listener
		}),
		result: streamer,
		examples: [{ coin: 'MATIC', config: { stream_interval_seconds: 15 }, client_id: 1 }]
	}),
	'stream::tx_history::enable': v2({
		access: 'admin',
		signs: false,
		params: object({ coin: ticker, ...listener }),
		result: streamer,
		examples: [{ coin: 'KMD', client_id: 1 }]
	}),
	'stream::fee_estimator::enable': v2({
		access: 'admin',
		signs: false,
		params: object({ coin: ticker, config: json, ...listener }),
		result: streamer,
		examples: [
			{ coin: 'ETH', config: { stream_interval_seconds: new JsonNumber('15') }, client_id: 1 }
		]
	}),
	'stream::heartbeat::enable': v2({
		access: 'admin',
		signs: false,
		params: object({ config: interval, ...listener }),
		result: streamer,
		examples: [{ config: { stream_interval_seconds: 5 }, client_id: 1 }]
	}),
	'stream::network::enable': v2({
		access: 'admin',
		signs: false,
		params: object({ config: interval, ...listener }),
		result: streamer,
		examples: [{ config: { stream_interval_seconds: 5, always_send: false }, client_id: 1 }]
	}),
	'stream::swap_status::enable': v2({
		access: 'admin',
		signs: false,
		params: object(listener),
		result: streamer,
		examples: [{ client_id: 1 }]
	}),
	'stream::order_status::enable': v2({
		access: 'admin',
		signs: false,
		params: object(listener),
		result: streamer,
		examples: [{ client_id: 1 }]
	}),
	'stream::orderbook::enable': v2({
		access: 'admin',
		signs: false,
		params: object({ base: ticker, rel: ticker, ...listener }),
		result: streamer,
		examples: [{ base: 'KMD', rel: 'LTC', client_id: 1 }]
	}),
	'stream::disable': v2({
		access: 'admin',
		signs: false,
		params: object({ streamer_id: text, client_id: count.optional() }),
		result: object({ result: z.literal('Success') }),
		examples: [{ streamer_id: 'BALANCE:KMD', client_id: 1 }]
	})
});
