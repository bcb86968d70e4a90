import type { V2Method } from './context.ts';
import { KdfError } from './error.ts';
import { anything, fallback, boolean, optional, required, string, struct } from './serde.ts';
import { sessionJson } from './sessions.ts';

const newRequest = struct('NewConnectionRequest', {
	required_namespaces: required(anything),
	optional_namespaces: optional(anything)
});
const topicRequest = struct('GetSessionRequest', {
	topic: required(string),
	with_pairing_topic: fallback(boolean, false)
});
const none = struct('EmptyRequest', {});

const noSession = (topic: string): KdfError => {
	const data = `No session found for topic ${topic}`;
	return new KdfError(500, 'SessionRequestError', `Session Request Error: ${data}`, data);
};

/** Methods for connections to remote signers. */
export const sessionMethods: ReadonlyMap<string, V2Method> = new Map<string, V2Method>([
	[
		'wc_new_connection',
		({ sessions, rules }, params) => {
			const { url, pairingTopic } = sessions.want(newRequest(params).required_namespaces);
			return rules.build === '3.0.0' ? { url, pairing_topic: pairingTopic } : { url };
		}
	],
	[
		'wc_get_sessions',
		({ sessions, rules }, params) => {
			none(params === null && rules.build === '3.0.0' ? {} : params);
			return { sessions: sessions.all().map(sessionJson) };
		}
	],
	[
		'wc_get_session',
		({ sessions }, params) => {
			const { topic, with_pairing_topic: byPairing } = topicRequest(params);
			const found = byPairing
				? sessions.all().find(({ pairingTopic }) => pairingTopic === topic)
				: sessions.get(topic);
			return { session: found ? sessionJson(found) : null };
		}
	],
	[
		'wc_delete_session',
		({ sessions }, params) => {
			const { topic } = topicRequest(params);
			if (!sessions.end(topic)) throw noSession(topic);
			return {};
		}
	],
	[
		'wc_ping_session',
		({ sessions }, params) => {
			const { topic } = topicRequest(params);
			if (!sessions.get(topic)) throw noSession(topic);
			return { result: 'Ping successful' };
		}
	]
]);
