import type { RequestEvent } from '@sveltejs/kit';

type Asking = Pick<RequestEvent, 'locals' | 'request' | 'url'>;

/** What every answer of the JSON API is made from. */
export const asked = ({ locals: { app, requestId }, request, url }: Asking) => ({
	index: app.index,
	chains: app.gateway.chains(),
	request,
	url,
	requestId
});
