import { fail } from '@sveltejs/kit';
import { serversPage as words } from '#lib/messages/pages/kdfServers.ts';
import {
	ELECTRUM_PROTOCOLS,
	type ElectrumProtocol
} from '#lib/server/kdf/egress/electrumServer.ts';
import { readTarget, targetText } from '#lib/server/kdf/egress/target.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, text, trimmed } from '#lib/server/platform/http/readForm.ts';
import { requireMember } from '../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

interface Typed {
	coin: string;
	url: string;
	protocol: string;
	certificate: string;
	private: string;
}

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { activations, config } = locals.app;
	const [servers, { coins }] = await Promise.all([
		activations.listed.list(),
		activations.coins.catalog()
	]);
	return {
		servers,
		tickers: coins.map(({ ticker }) => ticker),
		configured: config.privateServers.length,
		now: Date.now()
	};
};

/** Whether a node on a server can use the protocol. */
const isUsable = (text: string): text is ElectrumProtocol =>
	ELECTRUM_PROTOCOLS.some((one) => one === text) && (text === 'TCP' || text === 'SSL');

export const actions: Actions = {
	add: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const typed: Typed = await readForm(request, {
			coin: trimmed,
			url: trimmed,
			protocol: trimmed,
			certificate: trimmed,
			private: trimmed
		});
		const errors: Partial<Record<'coin' | 'url' | 'protocol', string>> = {};
		if (!(await locals.app.activations.coins.find(typed.coin))) {
			errors.coin = words.faults.coin;
		}
		if (!isUsable(typed.protocol)) errors.protocol = words.faults.protocol;
		let url = '';
		try {
			url = targetText(readTarget(typed.url));
		} catch (cause) {
			if (!isAppError(cause, 'egress')) throw cause;
			errors.url = cause.message;
		}
		if (Object.keys(errors).length > 0 || !isUsable(typed.protocol))
			return fail(400, { typed, errors });
		await locals.app.activations.listed.add(
			{
				coin: typed.coin,
				url,
				protocol: typed.protocol,
				...(typed.certificate === 'yes' ? { disable_cert_verification: true } : {}),
				private: typed.private === 'yes'
			},
			account
		);
		return { done: words.added(url, typed.coin) };
	},

	remove: async ({ request, locals }) => {
		const { account } = requireMember(locals);
		const { protocol, coin, url } = await readForm(request, {
			protocol: text,
			coin: text,
			url: text
		});
		const removed =
			isUsable(protocol) &&
			(await locals.app.activations.listed.remove(coin, url, protocol, account));
		return { done: removed ? words.removed : words.notFound };
	}
};
