# Writes the files of this folder: R objects of small made-up tables, by the packages that define them, in R's forms.
# Rscript write.R (R 4.2.2, Bioconductor 3.16). tests/unit/data/test_read_bioconductor.py tells what they hold.
suppressPackageStartupMessages({
  library(Biobase); library(SummarizedExperiment); library(SingleCellExperiment); library(DESeq2); library(edgeR)
  library(limma); library(phyloseq); library(MultiAssayExperiment); library(Matrix); library(SeuratObject)
  library(data.table); library(tibble)
})

genes <- paste0("g", 1:5)
samples <- paste0("s", 1:6)
counts <- matrix(as.integer(c(3, 0, 7, 1, 12, 5, 2, 8, 0, 9, 4, 1, 6, 3, 15, 0, 7, 2, 11, 6, 1, 8, 3, 10, 5, 2, 9, 4, 13, 0)), 5,
                 dimnames = list(genes, samples))
values <- counts / 2 + 0.25
values["g2", "s3"] <- NA
pheno <- data.frame(age = c(61, 54, NA, 47, 70, 58), group = factor(c("ill", "ill", "well", "well", "ill", "well"),
                    levels = c("well", "ill")), row.names = samples)
symbols <- data.frame(symbol = c("TP53", "MYC", "KRAS", "EGFR", "BRCA1"), row.names = genes, stringsAsFactors = FALSE)

# ExpressionSet: values in an environment, in a list, two matrices, a list of two sets as GEOquery returns
eset <- ExpressionSet(values, AnnotatedDataFrame(pheno), AnnotatedDataFrame(symbols))
saveRDS(eset, "ExpressionSet.rds")
listed <- new("ExpressionSet", assayData = assayDataNew("list", exprs = values, se.exprs = values / 10), phenoData = AnnotatedDataFrame(pheno))
save(listed, file = "ExpressionSet-list.rda", compress = "xz", version = 2)
channels <- new("NChannelSet", assayData = assayDataNew(R = values, G = values + 1), phenoData = AnnotatedDataFrame(pheno))
saveRDS(channels, "NChannelSet.rds", compress = "bzip2")
gse <- list("GSE1-GPL1_series_matrix.txt.gz" = eset, "GSE1-GPL2_series_matrix.txt.gz" = eset[1:3, ])
save(gse, file = "GEOquery.rda", compress = "bzip2")

# SummarizedExperiment: one assay with factors and Rle; two assays; ranges
data <- DataFrame(age = pheno$age, group = Rle(pheno$group), batch = Rle(c("a", "b"), c(3, 3)), row.names = samples)
se <- SummarizedExperiment(list(counts = counts), colData = data, rowData = DataFrame(symbols))
saveRDS(se, "SummarizedExperiment.rds")
two <- SummarizedExperiment(list(raw = counts, scaled = values), colData = data)
save(two, file = "SummarizedExperiment-two.rda", compress = "xz", version = 2)
ranges <- GRanges("chr1", IRanges(1:5 * 100, width = 50), symbol = symbols$symbol)
names(ranges) <- genes
rse <- SummarizedExperiment(list(counts), rowRanges = ranges, colData = data)
saveRDS(rse, "RangedSummarizedExperiment.rds", version = 2)
split <- SummarizedExperiment(list(tpm = values), rowRanges = S4Vectors::split(ranges, factor(genes, genes)), colData = DataFrame(pheno))
save(split, file = "RangedSummarizedExperiment-list.rda")

nameless <- SummarizedExperiment(list(counts = unname(counts)), colData = DataFrame(group = pheno$group))
save(nameless, file = "SummarizedExperiment-nameless.rda", version = 2)
saveRDS(structure(counts, dimnames = list(genes, NULL)), "half-named.rds")

# DESeqDataSet: before, and with the fitted matrices and the function of dispersions
dds <- DESeqDataSetFromMatrix(counts, pheno["group"], ~group)
saveRDS(dds, "DESeqDataSet.rds")
sizeFactors(dds) <- rep(1, 6)
assays(dds, withDimnames = FALSE)[["mu"]] <- counts + 0.5
dispersionFunction(dds) <- function(means) means * 0 + 0.1
save(dds, file = "DESeqDataSet-fitted.rda", compress = "bzip2")

# SingleCellExperiment: sparse counts; with a second assay
sce <- SingleCellExperiment(list(counts = Matrix(counts, sparse = TRUE)), colData = data, rowData = DataFrame(symbols))
saveRDS(sce, "SingleCellExperiment.rds")
logcounts(sce) <- log2(counts(sce) + 1)
save(sce, file = "SingleCellExperiment-two.rda", compress = "xz")

# edgeR and limma
dge <- DGEList(counts, samples = pheno["age"], group = pheno$group, genes = symbols)
saveRDS(dge, "DGEList.rds")
normalized <- calcNormFactors(DGEList(counts, group = pheno$group))
save(normalized, file = "DGEList-plain.rda", version = 2)
elist <- new("EList", list(E = values, targets = pheno, genes = symbols, weights = values * 0 + 1))
saveRDS(elist, "EList.rds", compress = "xz")
targets <- data.frame(FileName = paste0("array", 1:6, ".txt"), Condition = as.character(pheno$group))
raw <- new("EListRaw", list(E = values, Eb = values / 8, targets = targets, genes = data.frame(ProbeName = genes, Chr = 1:5)))
save(raw, file = "EListRaw.rda")

# phyloseq: taxa in rows, and in columns
taxa <- matrix(c(rep("Bacteria", 5), "Firmicutes", "Firmicutes", "Bacteroidota", "Bacteroidota", NA), 5,
               dimnames = list(genes, c("Kingdom", "Phylum")))
ps <- phyloseq(otu_table(counts, taxa_are_rows = TRUE), sample_data(pheno), tax_table(taxa))
saveRDS(ps, "phyloseq.rds")
turned <- phyloseq(otu_table(t(counts), taxa_are_rows = FALSE), sample_data(pheno))
save(turned, file = "phyloseq-turned.rda", compress = "xz")

# MultiAssayExperiment: two assays, one with two samples of one patient and none of another
patients <- DataFrame(group = pheno$group, row.names = paste0("p", 1:6))
map <- rbind(DataFrame(assay = "rna", primary = paste0("p", 1:6), colname = samples),
             DataFrame(assay = "protein", primary = paste0("p", c(1, 1, 2, 3, 4)), colname = paste0("a", 1:5)))
map$assay <- factor(map$assay)
proteins <- values[1:3, 1:5]
colnames(proteins) <- paste0("a", 1:5)
mae <- MultiAssayExperiment(list(rna = se, protein = proteins), patients, map)
saveRDS(mae, "MultiAssayExperiment.rds")
one <- suppressWarnings(mae[, , "protein"])
save(one, file = "MultiAssayExperiment-one.rda", compress = "bzip2")

# Seurat
seurat <- CreateSeuratObject(Matrix(counts, sparse = TRUE), meta.data = pheno)
saveRDS(seurat, "Seurat.rds")
halved <- SetAssayData(seurat, "data", Matrix(ifelse(counts > 0, counts / 2 + 0.25, 0), sparse = TRUE))
save(halved, file = "Seurat-data.rda", compress = "xz")

# Sparse matrices of the Matrix package, by columns and as triplets
saveRDS(Matrix(counts, sparse = TRUE), "dgCMatrix.rds")
triplets <- as(Matrix(counts, sparse = TRUE), "TsparseMatrix")
group <- pheno$group
save(triplets, group, file = "dgTMatrix.rda")

# Data frames of other packages
saveRDS(data.table(id = samples, t(counts), seen = as.Date("2020-02-28") + 0:5, group = pheno$group), "data.table.rds")
tibbled <- as_tibble(cbind(t(values), pheno))
save(tibbled, file = "tibble.rda", version = 2)
saveRDS(DataFrame(t(counts), pheno), "DataFrame.rds")

# A matrix and a data frame of its samples, in another order; of some of its samples; and a third, of its features
few <- counts[, 1:4]
clinical <- pheno[c(4, 1, 3, 2), ]
save(few, clinical, file = "workspace.rda")
clinical <- pheno[c(5, 2, 1, 4), ]
save(values, clinical, file = "workspace-part.rda", compress = "xz")
saveRDS(list(expression = as.data.frame(values), phenotype = clinical), "list.rds")
save(counts, pheno, symbols, file = "workspace-three.rda")

# What holds no table, and what may be beside one
closure <- function(x) x + 1
bytes <- as.raw(1:10)
pointer <- new("externalptr")
base <- mean
save(closure, bytes, pointer, base, file = "no-table.rda")
saveRDS(age ~ group, "formula.rds")
save(closure, bytes, pointer, base, eset, file = "beside.rda")
saveRDS(SummarizedExperiment(list(counts = DelayedArray::DelayedArray(counts)), colData = data), "DelayedMatrix.rds")
later <- log2(DelayedArray::DelayedArray(counts) + 1)
saveRDS(SummarizedExperiment(list(counts = counts, logs = later), colData = data), "DelayedMatrix-later.rds")

# Objects that R would not accept, as damage or malice may make them
wrong <- eset
wrong@phenoData@data <- pheno[1:4, ]
saveRDS(wrong, "wrong-count.rds")
wrong@phenoData@data <- data.frame(pheno, row.names = paste0("t", 1:6))
saveRDS(wrong, "wrong-names.rds")
wrong <- listed
wrong@assayData$exprs <- values[1:3, ]
wrong@featureData <- AnnotatedDataFrame(symbols)
saveRDS(wrong, "wrong-features.rds")
wrong <- SingleCellExperiment(list(counts = Matrix(counts, sparse = TRUE)), colData = data)
wrong@assays@data@listData$counts@i[1] <- 99L
saveRDS(wrong, "wrong-index.rds")
wrong@assays@data@listData$counts@Dim <- c(2000000000L, 6L)
saveRDS(wrong, "wrong-size.rds")
wrong <- se
wrong@colData@listData$batch@lengths <- c(3L, 2000000000L)
saveRDS(wrong, "wrong-runs.rds")
