/**
 * What packages contain of other packages, which an installation therefore does not get from a registry: by folder
 * below `packages/`. `pack-manual.ts`, `pack-fonts.ts` and `subset-font.ts` copy it.
 */
export const copied: Readonly<Record<string, readonly string[]>> = {
  server: ['@fontsource-variable/inter', '@scalar/fastify-api-reference'],
  pdf: ['@expo-google-fonts/amiri', '@expo-google-fonts/noto-sans', '@expo-google-fonts/noto-sans-hebrew'],
  'fonts-cjk': ['@embedpdf/fonts-kr', '@embedpdf/fonts-sc'],
};
