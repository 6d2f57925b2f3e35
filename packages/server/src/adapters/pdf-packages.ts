import type { Logger } from 'pino';
import { loadIfInstalled } from '../installation/optional-package.ts';

/** The package with the program that makes PDFs, which an installation may lack. */
export const pdfPackage = '@runward/pdf';
/** The package of the fonts for Chinese, Japanese and Korean, which an installation may lack. */
export const cjkPackage = '@runward/fonts-cjk';

/** What an installation has to make PDFs with. */
export interface PdfPackages {
  /** The path of the program. Null if its package is not installed. */
  readonly program: string | null;
  /** The paths of fonts and of folders with fonts. */
  readonly fonts: readonly string[];
  /** Whether there are fonts for Chinese, Japanese and Korean. */
  readonly hasCjk: boolean;
  /** Logs what to install, once, when a PDF had characters that no font has. */
  reportMissingGlyphs(): void;
}

/** Finds what is installed, and logs if PDFs cannot be made. `fontsDir` is a folder with more fonts. */
export async function findPdfPackages(
  fontsDir: string | undefined,
  log: Pick<Logger, 'info' | 'warn'>,
): Promise<PdfPackages> {
  const pdf = await loadIfInstalled(pdfPackage, () => import('@runward/pdf'));
  const cjk = await loadIfInstalled(cjkPackage, () => import('@runward/fonts-cjk'));
  if (pdf === null) log.info(`${pdfPackage} is not installed; no PDFs are made`);
  let isReported = false;
  return {
    program: pdf && pdf.program,
    fonts: [...(pdf?.fontPaths ?? []), ...(cjk?.fontPaths ?? []), ...(fontsDir === undefined ? [] : [fontsDir])],
    hasCjk: cjk !== null,
    reportMissingGlyphs: () => {
      if (isReported) return;
      isReported = true;
      const install = cjk === null ? `install ${cjkPackage} for Chinese, Japanese and Korean, or ` : '';
      log.warn(`A PDF shows boxes for characters that no font has; ${install}put fonts for them into FONTS_DIR`);
    },
  };
}
