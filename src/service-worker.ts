/// <reference lib="webworker" />
/** Shows push notifications and opens their page. It caches and fetches nothing else. */
const worker = globalThis as unknown as ServiceWorkerGlobalScope;

interface Payload {
	title: string;
	body: string;
	path: string;
	tag: string;
}

/** Returns the URL of a page of this origin; for any other path the list of notifications. */
function ownPage(path: unknown): string {
	const { origin } = worker.location;
	const url = typeof path === 'string' && URL.canParse(path, origin) ? new URL(path, origin) : null;
	return url?.origin === origin ? url.href : `${origin}/notifications`;
}

worker.addEventListener('push', (event) => {
	const { title, body, path, tag } = event.data?.json() as Payload;
	event.waitUntil(
		worker.registration.showNotification(title, {
			body,
			tag,
			icon: '/favicon.svg',
			data: { path: ownPage(path) }
		})
	);
});

worker.addEventListener('notificationclick', (event) => {
	event.notification.close();
	const { path } = event.notification.data as { path: string };
	event.waitUntil(worker.clients.openWindow(ownPage(path)));
});
