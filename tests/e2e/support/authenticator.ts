import type { CDPSession, Page } from '@playwright/test';

/** Gives the browser a virtual authenticator, with user presence and verification unless told otherwise. */
export async function plugIn(page: Page) {
	const devtools: CDPSession = await page.context().newCDPSession(page);
	await devtools.send('WebAuthn.enable');
	const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
		options: {
			protocol: 'ctap2',
			transport: 'internal',
			hasResidentKey: true,
			hasUserVerification: true,
			isUserVerified: true,
			automaticPresenceSimulation: true
		}
	});
	return {
		verifies: (isUserVerified: boolean) =>
			devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
		count: async () =>
			(await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length
	};
}
