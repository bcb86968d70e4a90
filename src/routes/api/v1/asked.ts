import type { RequestEvent } from '@sveltejs/kit';

type Asking = Pick<RequestEvent, 'locals' | 'request' | 'url'>;

/** Collects what every response of the JSON API needs. */
export const asked = ({ locals: { app, requestId }, request, url }: Asking) => ({
	index: app.index,
	chains: app.gateway.chains(),
	request,
	url,
	requestId
});
