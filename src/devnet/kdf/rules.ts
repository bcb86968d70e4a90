/** Which node is played. */
export interface KdfRules {
	/** The forms of the interface document, and no others. */
	seedForms: boolean;
	/** Between the two releases some details differ. */
	build: '2.5.1' | '3.0.0';
}

/** The names that the interface document has for what the release calls by a brand. */
interface Words {
	pinAction: string;
	passphraseAction: string;
	waitingForDevice: string;
	enterPin: string | null;
	devicePolicy: string;
	signerPolicy: string;
	nftProvider: string;
}

const RELEASE: Words = {
	pinAction: 'TrezorPin',
	passphraseAction: 'TrezorPassphrase',
	waitingForDevice: 'WaitingForTrezorToConnect',
	enterPin: 'EnterTrezorPin',
	devicePolicy: 'Trezor',
	signerPolicy: 'WalletConnect',
	nftProvider: 'Moralis'
};

const DOCUMENT: Words = {
	pinAction: 'HardwarePin',
	passphraseAction: 'HardwarePassphrase',
	waitingForDevice: 'WaitingForHardwareToConnect',
	enterPin: null,
	devicePolicy: 'HardwareWallet',
	signerPolicy: 'RemoteSigner',
	nftProvider: 'NftIndexer'
};

export const wordsOf = ({ seedForms }: KdfRules): Words => (seedForms ? DOCUMENT : RELEASE);

/** What `version` says. */
export const versionOf = ({ build, seedForms }: KdfRules): string => {
	if (seedForms) return '1.0.0';
	return build === '2.5.1' ? '2.5.1-beta_a9fbf60' : '3.0.0-beta_d56a7bc';
};
